import type { Segment } from './elf.ts';

/** An atomic compare-and-exchange of eight bytes, in the code of one kind of processor. */
export interface Exchange {
  /** The processor's number in an ELF header. */
  machine: number;
  /** The type of a relocation for an entry in the table of imported functions. */
  jumpSlot: number;
  /**
   * The function `bool (size_t size, void *at, void *expected, void *desired)`. For a size other than eight, it runs an
   * undefined instruction.
   */
  code: Buffer;
  /** Whether the code calls the function of the table entry at the address `slot`, and every call has the size 8. */
  isOnlyOneUsed(elf: Buffer, code: Segment, slot: number): boolean;
}
