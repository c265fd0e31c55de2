// How long the page stands still: the longest task of its main thread, in time of the processor, which a busy machine does not
// change.

import type { Browser, Frame } from "@playwright/test";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
}

const MARK = "freezes: ";

/** Records the tasks of all pages of a browser. */
export class Freezes {
  private constructor(private readonly browser: Browser) {}

  static async record(browser: Browser): Promise<Freezes> {
    await browser.startTracing(undefined, { categories: ["toplevel", "blink.user_timing"] });
    return new Freezes(browser);
  }

  /** What happens from now on in the page or frame is called so. */
  async during(frame: Frame, name: string): Promise<void> {
    await frame.evaluate((name) => void performance.mark(name), MARK + name);
  }

  /** The longest task during each name, in milliseconds. */
  async stop(): Promise<Map<string, number>> {
    const { traceEvents } = JSON.parse((await this.browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const marks = traceEvents.filter(({ name }) => name.startsWith(MARK)).sort((a, b) => a.ts - b.ts);
    const longest = new Map(marks.map(({ name }) => [name.slice(MARK.length), 0]));
    const main = new Set(marks.map(({ pid, tid }) => `${pid} ${tid}`));
    for (const { name, pid, tid, ts, tdur = 0 } of traceEvents) {
      if (!name.endsWith("RunTask") || !main.has(`${pid} ${tid}`)) continue;
      const mark = marks.findLast((mark) => mark.ts <= ts)?.name.slice(MARK.length);
      if (mark !== undefined) longest.set(mark, Math.max(longest.get(mark) ?? 0, tdur / 1000));
    }
    return longest;
  }
}
