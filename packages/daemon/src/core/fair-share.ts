/** What all owners share, how much of it is used, and how much of that by one owner. */
export interface Share {
  most: number;
  used: number;
  own: number;
}

/**
 * How many more an owner may take. An owner holds no more than it leaves free for others. So one owner gets half, and
 * a newcomer finds room at once, although nothing that is taken can be taken back. As what they took ends, two owners come
 * to hold a third each.
 */
export function mayTake({ most, used, own }: Share): number {
  const free = Math.max(0, most - used);
  // Without the exception a small total could be free and still of no use to anyone.
  const least = own <= 0 && free >= 1 ? 1 : 0;
  return Math.max(least, Math.floor((free - Math.max(0, own)) / 2));
}
