// A server for one test, on a free port.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export abstract class Local {
  protected abstract readonly server: Server;

  /** The origin of the listening server. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Starts to listen. */
  protected async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Stops, and closes all connections. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
