import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepAnswer, restoreAnswer } from './kept-answer.ts';

test('keepAnswer does not store values that the request contains, wherever they are in the answer', () => {
  const secret = 'Bearer s3cret';
  const message = 'm'.repeat(5000);
  const input = { name: 'Shop', headers: { authorization: secret }, body: 'b'.repeat(1_000_000), message };
  const answer = { id: 'mon_1', ...input, updates: [{ id: 'upd_1', message }] };
  const kept = keepAnswer(answer, input);
  expect(kept.length).toBeLessThan(500);
  expect(kept).not.toContain(secret);
  expect(restoreAnswer(kept, input)).toEqual(answer);
});

test('restoreAnswer keeps the order of the fields of the answer', () => {
  const input = { z: 'last', a: 'first', inner: { b: 1, c: 2 } };
  const answer = { id: 1, ...input, inner: { c: 2, b: 1, d: 3 }, end: null };
  const restored = restoreAnswer(keepAnswer(answer, input), input);
  expect(JSON.stringify(restored)).toBe(JSON.stringify(answer));
});

test('restoreAnswer returns a masked secret as the answer has it, and not as the request has it', () => {
  const input = { config: { webhookUrl: `https://hooks.example.com/${'k'.repeat(80)}`, channel: 'ops' } };
  const answer = { id: 'chn_1', config: { ...input.config, webhookUrl: 'https://hooks.example.com/••••kkkk' } };
  expect(restoreAnswer(keepAnswer(answer, input), input)).toEqual(answer);
});

test('restoreAnswer restores any answer completely, whatever the request contains', () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(
    fc.property(json, json, (answer, input) => {
      expect(JSON.stringify(restoreAnswer(keepAnswer(answer, input), input))).toBe(JSON.stringify(answer));
      const mixed = { answer, input, echo: [input, answer] };
      expect(restoreAnswer(keepAnswer(mixed, { input, answer }), { input, answer })).toEqual(mixed);
    }),
  );
});
