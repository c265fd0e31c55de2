// A proxy in front of everything that a browser asks for: it lets through what goes to one host, and notes all.

import { createServer, request as forward, type Server } from "node:http";

import { Local } from "./local.ts";

/** Whom the browser itself talks to, about its own updates and accounts; no dataset of a test names them. */
const OF_THE_BROWSER = /^[A-Z]+ (https?:\/\/)?[\w.-]*\.(google|googleapis|gvt1)\.com[:/]/;

export class Proxy extends Local {
  /** Every address that was asked for by a page or a worker, in their order. */
  readonly asked: string[] = [];
  protected readonly server: Server;

  private constructor(origin: string) {
    super();
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
    return new Proxy(origin).listen();
  }
}
