// A proxy in front of everything that a browser asks for: it lets through what goes to one host, and notes all.

import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Whom the browser itself talks to, about its own updates and accounts; no dataset of a test names them. */
const OF_THE_BROWSER = /^[A-Z]+ (https?:\/\/)?[\w.-]*\.(google|googleapis|gvt1)\.com[:/]/;

export class Proxy {
  /** Every address that was asked for by a page or a worker, in their order. */
  readonly asked: string[] = [];
  private server: Server;

  private constructor(origin: string) {
    this.server = createServer((request, response) => {
      this.note(`${request.method} ${request.url}`);
      if (!request.url?.startsWith(`${origin}/`)) return void response.writeHead(403).end("refused\n");
      const { method, headers, url } = request;
      const onward = forward(url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    // Anything encrypted or that is no HTTP.
    this.server.on("connect", (request, socket) => {
      this.note(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    this.server.on("upgrade", (request, socket) => {
      this.note(`UPGRADE ${request.url}`);
      socket.destroy();
    });
  }

  private note(asked: string): void {
    if (!OF_THE_BROWSER.test(asked)) this.asked.push(asked);
  }

  /** Lets through what goes to `origin`. */
  static async start(origin: string): Promise<Proxy> {
    const proxy = new Proxy(origin);
    await new Promise<void>((resolve) => proxy.server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
