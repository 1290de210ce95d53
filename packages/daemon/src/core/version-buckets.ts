import { hashText } from './hash-text.ts';

/** The version of each monitor that a probe has, or should have: a text that changes with every edit. */
export type Versions = ReadonlyMap<number, string>;

/** Each monitor belongs to one of this many buckets, by its number. */
export const bucketCount = 64;

export const bucketOf = (monitor: number): number => monitor % bucketCount;

/**
 * Returns the digest of a bucket. Buckets with the same monitors in the same versions have the same digest, whatever
 * the order. The digest of an empty bucket is empty. A probe and its server compare digests to find out whether the
 * probe has the right monitors.
 */
export function digestOf(bucket: Versions): string {
  if (bucket.size === 0) return '';
  let [high, low] = [0, 0];
  for (const [monitor, version] of bucket) {
    const text = `${monitor} ${version}`;
    high ^= hashText(text);
    low ^= hashText(text, 0x5bd1e995);
  }
  return [bucket.size, high >>> 0, low >>> 0].map((part) => part.toString(16)).join('.');
}

/** The number of monitors that a digest stands for. */
export const sizeOfDigest = (digest: string): number => Number.parseInt(digest.split('.')[0]!, 16) || 0;

/** Returns the versions of a bucket as a line of text, which a probe sends to its server. */
export const versionsToText = (bucket: Versions): string =>
  Array.from(bucket, ([monitor, version]) => `${monitor}=${version}`).join(' ');

/** Reads a line that `versionsToText` made. Parts that are not a monitor and its version are skipped. */
export function versionsFromText(text: string): Versions {
  const versions = new Map<number, string>();
  for (const [, monitor, version] of text.matchAll(/(\d{1,16})=(\S+)/g)) versions.set(Number(monitor), version!);
  return versions;
}
