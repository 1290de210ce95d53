/** The total that all owners share, how much of it is used, and how much one owner uses. */
export interface Share {
  most: number;
  used: number;
  own: number;
}

/**
 * How many more an owner may take. An owner holds no more than it leaves free for others. So one owner gets half, and a
 * newcomer finds room at once even if nothing can be taken back. As running work ends, two owners come to hold a third
 * each.
 */
export function mayTake({ most, used, own }: Share): number {
  const free = Math.max(0, most - used);
  // Without this exception a small total would stay unused although it is free.
  const least = own <= 0 && free >= 1 ? 1 : 0;
  return Math.max(least, Math.floor((free - Math.max(0, own)) / 2));
}
