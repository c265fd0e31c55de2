// A proxy for all requests of a browser. It forwards those to one host and records all.

import { createServer, request as forward, type Server } from "node:http";

import { Local } from "./local.ts";

/** Requests of the browser itself, such as updates; no dataset of a test uses these hosts. */
const OF_THE_BROWSER = /^[A-Z]+ (https?:\/\/)?[\w.-]*\.(google|googleapis|gvt1)\.com[:/]/;

export class Proxy extends Local {
  /** All requests of pages and workers. */
  readonly requested: string[] = [];
  protected readonly server: Server;

  private constructor(origin: string) {
    super();
    this.server = createServer((request, response) => {
      this.record(`${request.method} ${request.url}`);
      if (!request.url?.startsWith(`${origin}/`)) return void response.writeHead(403).end("refused\n");
      const { method, headers, url } = request;
      const onward = forward(url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    // Anything encrypted or not HTTP.
    this.server.on("connect", (request, socket) => {
      // The browser may have hung up.
      socket.on("error", () => {});
      this.record(`CONNECT ${request.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    this.server.on("upgrade", (request, socket) => {
      this.record(`UPGRADE ${request.url}`);
      socket.destroy();
    });
  }

  private record(request: string): void {
    if (!OF_THE_BROWSER.test(request)) this.requested.push(request);
  }

  /** Starts a proxy that forwards requests to `origin`. */
  static async start(origin: string): Promise<Proxy> {
    return new Proxy(origin).listen();
  }
}
