import { dt, type ElfImage, number64, readElf } from './elf.ts';
import { exchangeArm64 } from './exchange-arm64.ts';
import { exchangeX64 } from './exchange-x64.ts';

/**
 * Removes an executable's need for libatomic.so.1, which a minimal Debian or Ubuntu does not have. Node takes one
 * function from this library: an atomic compare-and-exchange, always of eight bytes. `dropLibatomic` appends that
 * function to the executable's code.
 *
 * Returns null if the executable no longer needs the library. Otherwise returns the reason, and changes nothing.
 * Changes only executables for x86-64 or arm64 that import this one function, with eight bytes in every call.
 */
export function dropLibatomic(elf: Buffer): string | null {
  if (elf.toString('latin1', 0, 4) !== '\x7fELF' || elf[4] !== 2 || elf[5] !== 1) return 'it is not a 64-bit ELF file';
  const image = readElf(elf);
  const needed = image.dynamic.find(({ tag, value }) => tag === dt.needed && image.text(value) === library);
  if (!needed) return null;
  const exchange = [exchangeX64, exchangeArm64].find(({ machine }) => machine === elf.readUInt16LE(18));
  if (!exchange || elf.readUInt16LE(16) !== fixedAddress || (image.value(dt.flags) & bindNow) === 0)
    return 'only executables for x86-64 and arm64, at a fixed address and linked at their start, are supported';
  const versions = findVersions(elf, image);
  const versionOf = (symbol: number) => elf.readUInt16LE(image.at(dt.versym) + 2 * symbol);
  const imported = relocations(elf, image).filter(({ symbol }) => versions?.indexes.includes(versionOf(symbol)));
  const [slot, ...others] = imported;
  if (!versions || !slot || others.length > 0 || slot.type !== exchange.jumpSlot || image.nameOf(slot.symbol) !== name)
    return `it imports ${imported.map(({ symbol }) => image.nameOf(symbol)).join(', ')} from ${library}`;
  const code = image.segments.find(({ flags }) => flags === readAndExecute);
  if (!code || !exchange.isOnlyOneUsed(elf, code, slot.address)) return `some calls of ${name} are not of eight bytes`;

  const place = roundUp(code.offset + code.size, 16);
  const room = elf.subarray(place, place + exchange.code.length);
  if (place + room.length > roundUp(code.offset + code.size, page) || room.some((byte) => byte !== 0))
    return 'there is no free space after its code';
  exchange.code.copy(room);
  const size = BigInt(place + room.length - code.offset);
  elf.writeBigUInt64LE(size, code.header + 32);
  elf.writeBigUInt64LE(size, code.header + 40);
  // The entry of the function in the table of imported functions (`slot`) now points to the new function. Zeros make
  // the relocation a relocation of type NONE, so the loader does not change the entry.
  elf.writeBigUInt64LE(BigInt(code.address + place - code.offset), image.offsetOf(slot.address));
  elf.fill(0, slot.at, slot.at + 24);
  elf.writeUInt16LE(unversioned, image.at(dt.versym) + 2 * slot.symbol);
  versions.unlink();
  const last = image.dynamic.at(-1)!.at;
  elf.copy(elf, needed.at, needed.at + 16, last + 16);
  elf.fill(0, last, last + 16);
  return null;
}

const library = 'libatomic.so.1';
const name = '__atomic_compare_exchange';
const fixedAddress = 2;
const bindNow = 8;
const readAndExecute = 5;
const unversioned = 1;
const page = 0x1000;

const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step;

/** Finds the library's entry in the table of imported versions. Returns its versions. `unlink` removes the entry. */
function findVersions(elf: Buffer, image: ElfImage): { indexes: number[]; unlink(): void } | null {
  let previous: number | null = null;
  for (let at = image.at(dt.verneed), left = image.value(dt.verneedCount); left > 0; left--) {
    const next = elf.readUInt32LE(at + 12);
    if (image.text(elf.readUInt32LE(at + 4)) === library) {
      const indexes: number[] = [];
      for (let n = elf.readUInt16LE(at + 2), aux = at + elf.readUInt32LE(at + 8); n > 0; n--) {
        indexes.push(elf.readUInt16LE(aux + 6));
        aux += elf.readUInt32LE(aux + 12);
      }
      const before = previous;
      const unlink = () => {
        const setEntry = (tag: number, value: number) =>
          elf.writeBigUInt64LE(BigInt(value), image.dynamic.find((entry) => entry.tag === tag)!.at + 8);
        if (before === null) setEntry(dt.verneed, image.value(dt.verneed) + next);
        else elf.writeUInt32LE(next === 0 ? 0 : elf.readUInt32LE(before + 12) + next, before + 12);
        setEntry(dt.verneedCount, image.value(dt.verneedCount) - 1);
      };
      return { indexes, unlink };
    }
    previous = at;
    at += next;
  }
  return null;
}

function relocations(elf: Buffer, image: ElfImage) {
  const tables = [
    { from: image.at(dt.rela), size: image.value(dt.relaSize) },
    { from: image.at(dt.jumpRela), size: image.value(dt.jumpRelaSize) },
  ];
  return tables.flatMap(({ from, size }) =>
    Array.from({ length: size / 24 }, (_, n) => {
      const at = from + n * 24;
      return {
        at,
        address: number64(elf, at),
        type: elf.readUInt32LE(at + 8),
        symbol: elf.readUInt32LE(at + 12),
      };
    }),
  );
}
