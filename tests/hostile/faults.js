// Lets tests break the page's workers in the middle of a check, in every browser alike. The function runs in the page, before the
// page's own code: each worker is a blob of a script, and gets one more script in front.

/**
 * Adds `breakNext(fault, reads)`, which happens at a read of the check's own worker (the third if no other is said), `broken`, which
 * resolves when it has happened, `release()` for the fault "hold", `workersAlive()` and `workersStarted()`. From a fault until the worker is
 * replaced, the page's clock for what takes seconds runs ten times as fast, so that a silent worker is missed soon and a slow one is not.
 */
export function allowFaults() {
  const inWorker = () => {
    let memory = null;
    let armed = null;
    let release = () => {};
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...given) => {
      const made = await instantiate(...given);
      memory = (made.instance ?? made).exports.memory;
      return made;
    };
    addEventListener("message", (event) => {
      const { fault, port, reads } = event.data;
      if (fault === undefined) return;
      // The engine's own listener comes later.
      event.stopImmediatePropagation();
      if (fault === "release") release();
      else armed = { fault, port, reads };
    });
    const faults = {
      /** The read waits for the test. */
      hold: () => new Promise((resolve) => (release = resolve)),
      /** js-sys asserts that what it copies has the length that it had. */
      panic: (read) => {
        const subarray = (from, to) => {
          const part = Uint8Array.prototype.subarray.call(read.value, from, to);
          return Object.assign(part, { subarray: () => new Uint8Array(part.length + 1) });
        };
        Object.assign(read.value, { subarray });
      },
      /** Every address that the engine has noted is now outside of its memory. */
      trap: () => void new Uint8Array(memory.buffer).fill(0xff),
      /** The engine gets no more memory. */
      memory: () => {
        for (let pages = 65_536; pages >= 1; pages /= 2) {
          try {
            for (;;) memory.grow(pages);
          } catch {
            // Less is left than that.
          }
        }
      },
      silence: () => {
        for (;;);
      },
      end: () => {
        close();
        return new Promise(() => {});
      },
    };
    const { prototype } = ReadableStreamBYOBReader;
    const { read } = prototype;
    prototype.read = async function (...given) {
      const result = await read.apply(this, given);
      if (armed && (armed.reads -= 1) === 0) {
        const { fault, port } = armed;
        armed = null;
        port.postMessage(fault);
        await faults[fault](result);
      }
      return result;
    };
  };
  const script = `(${inWorker})();`;
  const [PageBlob, PageWorker] = [Blob, Worker];
  const alive = new Set();
  let started = 0;
  let hurries = false;
  self.Blob = new Proxy(PageBlob, {
    construct: (target, [parts, options]) =>
      new target(options?.type === "text/javascript" ? [script, ...parts] : parts, options),
  });
  self.Worker = new Proxy(PageWorker, {
    construct(target, given) {
      const worker = new target(...given);
      alive.add(worker);
      started += 1;
      hurries = false;
      const terminate = worker.terminate.bind(worker);
      worker.terminate = () => {
        alive.delete(worker);
        terminate();
      };
      return worker;
    },
  });
  const post = (message, transfer) => [...alive].at(-1).postMessage(message, transfer);
  self.workersAlive = () => alive.size;
  self.workersStarted = () => started;
  self.release = () => post({ fault: "release" }, []);
  self.breakNext = (fault, reads = 3) => {
    const { port1, port2 } = new MessageChannel();
    self.broken = new Promise((resolve) => (port1.onmessage = resolve)).then(() => {
      hurries = fault !== "hold";
    });
    post({ fault, port: port2, reads }, [port2]);
  };
  const { setTimeout: plain } = self;
  self.setTimeout = (callback, delay = 0, ...given) => plain(callback, hurries && delay >= 1_000 ? delay / 10 : delay, ...given);
}
