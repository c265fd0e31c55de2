// A server of a test's own, at whatever port is free.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export abstract class Local {
  protected abstract readonly server: Server;

  /** Where it is, once it listens. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Begins. */
  protected async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Ends, and cuts what is still connected. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
