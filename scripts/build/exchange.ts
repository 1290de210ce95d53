import type { Segment } from './elf.ts';

/** An atomic compare-and-exchange of eight bytes, in the code of one kind of processor. */
export interface Exchange {
  /** The processor's number in an ELF header. */
  machine: number;
  /** The type of a relocation that makes a slot point to an imported function. */
  jumpSlot: number;
  /**
   * `bool (size_t size, void *at, void *expected, void *desired)`, with an undefined instruction for any other size.
   */
  code: Buffer;
  /** Whether the code calls the function in that slot, and always with 8 (bytes) as its first argument. */
  isOnlyOneUsed(elf: Buffer, code: Segment, slot: number): boolean;
}
