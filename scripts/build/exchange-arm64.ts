import type { Exchange } from './exchange.ts';

/**
 * The function uses exclusive loads and stores, because the first arm64 processors do not have the `casal` instruction.
 */
export const exchangeArm64: Exchange = {
  machine: 183,
  jumpSlot: 1026,
  code: words(
    0xf100201f, // `cmp x0, #8`
    0x540001c1, // `b.ne` to the last line
    0xf9400048, // `ldr x8, [x2]`
    0xf9400069, // `ldr x9, [x3]`
    0xc85ffc2a, // `ldaxr x10, [x1]`
    0xeb08015f, // `cmp x10, x8`
    0x540000a1, // `b.ne` to `clrex`
    0xc80bfc29, // `stlxr w11, x9, [x1]`
    0x35ffff8b, // `cbnz w11` to `ldaxr`
    0x52800020, // `mov w0, #1`
    0xd65f03c0, // `ret`
    0xd5033f5f, // `clrex`
    0xf900004a, // `str x10, [x2]`
    0x52800000, // `mov w0, #0`
    0xd65f03c0, // `ret`
    0x00000000, // `udf #0`
  ),
  isOnlyOneUsed(elf, code, slot) {
    const from = elf.byteOffset + code.offset;
    const instructions = new Uint32Array(elf.buffer.slice(from, from + code.size));
    const [stub, ...others] = stubsOf(instructions, code.address, slot);
    if (stub === undefined || others.length > 0) return false;
    const calls = branchesTo(instructions, stub, call);
    const allEight = calls.every((n) => instructions.subarray(Math.max(0, n - 12), n).includes(eightFirst));
    return calls.length > 0 && allEight && branchesTo(instructions, stub, jump).length === 0;
  },
};

const call = 0x94000000;
const jump = 0x14000000;
/** br x17 */
const jumpToLoaded = 0xd61f0220;
/** mov w0, #8 */
const eightFirst = 0x52800100;
const page = 0x1000;

/**
 * Finds the linker's stubs that jump to the function whose table entry is at the address `slot`. Returns the index of
 * each stub's first instruction.
 */
function stubsOf(instructions: Uint32Array, address: number, slot: number): number[] {
  const load = loadSlot(slot);
  return placesOf(
    instructions,
    (word, n) =>
      word === loadPage(slot, address + 4 * n) && instructions[n + 1] === load && instructions[n + 3] === jumpToLoaded,
  );
}

/** Returns `adrp x16, …`: the instruction at `at` that loads the page of `address`. */
function loadPage(address: number, at: number): number {
  const pages = Math.floor(address / page) - Math.floor(at / page);
  return (0x90000010 | ((pages & 3) << 29) | (((pages >> 2) & 0x7ffff) << 5)) >>> 0;
}

/** Returns `ldr x17, [x16, …]`: the instruction that loads the value at `address` from its page. */
const loadSlot = (address: number): number => (0xf9400211 | (((address % page) >> 3) << 10)) >>> 0;

function branchesTo(instructions: Uint32Array, target: number, opcode: number): number[] {
  return placesOf(instructions, (word, n) => word === (opcode | ((target - n) & 0x3ffffff)) >>> 0);
}

function placesOf(instructions: Uint32Array, matches: (word: number, n: number) => boolean): number[] {
  const places: number[] = [];
  instructions.forEach((word, n) => matches(word, n) && places.push(n));
  return places;
}

function words(...values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}
