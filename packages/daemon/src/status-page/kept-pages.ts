import type { PageBody } from './encode-form.ts';
import type { View } from './forms.ts';

const viewsKept = 1000;
/** Approximate limit of the cache, in bytes. */
const maxBytesKept = 64 * 1024 * 1024;

export interface KeptPage {
  view: View;
  /** When the view was made, on the monotonic clock. */
  madeMonoMs: number;
  /** How long it took to make the view, and to write it in the formats that were asked for. */
  costMs: number;
  bodies: Map<string, Promise<PageBody>>;
  bytes: number;
}

/** The cached pages. When the cache is full, the oldest pages are dropped. */
export interface KeptPages {
  get(key: string): KeptPage | undefined;
  add(key: string, page: KeptPage): void;
  forget(key: string): void;
  /** Adds the bytes of a view, or of one of its formats, to the total. Drops the oldest pages if the cache is full. */
  count(key: string, page: KeptPage, more: number): void;
}

export function createKeptPages(): KeptPages {
  const kept = new Map<string, KeptPage>();
  let bytes = 0;
  const forget = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };

  return {
    get: (key) => kept.get(key),
    add: (key, page) => void kept.set(key, page),
    forget,
    count(key, page, more) {
      if (kept.get(key) !== page) return;
      page.bytes += more;
      bytes += more;
      for (const oldest of kept.keys()) {
        if ((kept.size <= viewsKept && bytes <= maxBytesKept) || oldest === key) break;
        forget(oldest);
      }
    },
  };
}
