import type { Segment } from './elf.ts';
import type { Exchange } from './exchange.ts';

export const exchangeX64: Exchange = {
  machine: 62,
  jumpSlot: 7,
  code: Buffer.from(
    [
      '4883ff08', // `cmp $8, %rdi`
      '7517', // `jne` to the last line
      '488b02', // `mov (%rdx), %rax`
      '488b09', // `mov (%rcx), %rcx`
      'f0480fb10e', // `lock cmpxchg %rcx, (%rsi)`
      '0f94c1', // `sete %cl`
      '7403', // `je` over the next line
      '488902', // `mov %rax, (%rdx)`
      '0fb6c1', // `movzbl %cl, %eax`
      'c3', // `ret`
      '0f0b', // `ud2`
    ].join(''),
    'hex',
  ),
  isOnlyOneUsed(elf, code, slot) {
    const { jumpBySlot, callBySlot, call, jump, eightFirst } = instructions;
    const [stub, ...others] = referencesTo(elf, code, jumpBySlot, slot);
    if (stub === undefined || others.length > 0 || referencesTo(elf, code, callBySlot, slot).length > 0) return false;
    const stubAddress = stub - code.offset + code.address;
    const calls = referencesTo(elf, code, call, stubAddress);
    const allEight = calls.every((at) => elf.subarray(at - 48, at).includes(eightFirst));
    return calls.length > 0 && allEight && referencesTo(elf, code, jump, stubAddress).length === 0;
  },
};

const instructions = {
  jumpBySlot: Buffer.from('ff25', 'hex'),
  callBySlot: Buffer.from('ff15', 'hex'),
  call: Buffer.from('e8', 'hex'),
  jump: Buffer.from('e9', 'hex'),
  /** mov $8, %edi */
  eightFirst: Buffer.from('bf08000000', 'hex'),
};

/**
 * Returns the file offsets of the instructions that begin with `opcode` and refer to `address`. The reference is the
 * distance from the end of the instruction to the address.
 */
function referencesTo(elf: Buffer, code: Segment, opcode: Buffer, address: number): number[] {
  const end = code.offset + code.size;
  const found: number[] = [];
  for (let at = elf.indexOf(opcode, code.offset); at >= 0; at = elf.indexOf(opcode, at + 1)) {
    const after = at + opcode.length + 4;
    if (after > end) break;
    if (after - code.offset + code.address + elf.readInt32LE(after - 4) === address) found.push(at);
  }
  return found;
}
