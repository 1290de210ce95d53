import * as fc from 'fast-check';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { allKinds, kinds } from '../kinds/index.ts';
import { type Fields, fieldsOf, type Kind, type Remote } from '../kinds/kind.ts';
import { applyPlan } from '../plan/apply.ts';
import { planChanges } from '../plan/plan.ts';
import { editedTexts } from '../pull/edited-texts.ts';
import { pullInto } from '../pull/pull.ts';
import { type Files, generatedManifest, planOfFiles, readFiles } from './generated-manifests.ts';
import { createModelServer, type ModelServer } from './model-server.ts';

const { monitor, channel, alertRule, statusPage, maintenanceWindow } = kinds;
const start = '2090-01-01T00:00:00Z';
const end = '2090-01-02T00:00:00Z';

/** Adds objects of all other kinds to the monitors. They name some monitors by the key, and some by the name. */
function withReferences(files: Files): Map<string, string> {
  const all = [...files.values()].flatMap((text) => (parse(text) as { monitors: Fields[] }).monitors);
  const plain = all.filter(({ forEach }) => !forEach);
  const words = plain.map(({ key, name }, i) => (i % 2 === 0 ? key : name));
  const lists = {
    alertRules: [
      { key: 'down', name: 'Down', monitors: words, channels: ['ops'] },
      { name: 'Slow', monitors: words.slice(0, 1), channels: ['ops', 'Night'], consecutiveFailures: 3 },
    ],
    maintenance: [{ title: 'Move', scheduledStart: start, scheduledEnd: end, monitors: words.slice(0, 2) }],
  };
  const root = parse(files.get('root.yaml')!) as Record<string, Fields[]> & { overrides: { production: Fields } };
  // Overrides for two monitors. One names its monitor by the key, and one by the name.
  const named = words.slice(0, 2).map((word) => [String(word), { interval: 33, labels: { tier: 'c' } }] as const);
  root.overrides.production['monitors'] = Object.fromEntries(named);
  const night = { name: 'Night', type: 'email', config: { address: 'night@example.com' } };
  const pages = [
    { key: 'page', name: 'Page', slug: 'page', monitors: words },
    { name: 'Bare', slug: 'bare' },
  ];
  const whole = { ...root, channels: [...root['channels']!, night], statusPages: pages, ...lists };
  return new Map(
    [...files].map(([name, text]) => [name, commented(name === 'root.yaml' ? whole : (parse(text) as object))]),
  );
}

/** Returns YAML with a comment before each item, and after every third value. */
function commented(content: object): string {
  let count = 0;
  const lines = stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }).split('\n');
  const written = lines.flatMap((line) => {
    const [, indent] = /^( *)- [a-zA-Z]+:/.exec(line) ?? [];
    const noted = /: \S/.test(line) && ++count % 3 === 0 ? `${line} # note ${count}.` : line;
    return indent === undefined ? [noted] : [`${indent}# item ${++count}.`, noted];
  });
  return `# first comment.\n\n${written.join('\n')}\n# last comment.\n`;
}

const commentsOf = (text: string): string[] =>
  [...text.matchAll(/# (?:first|last|item|note)[^.]*\./g)].map(([comment]) => comment).toSorted();

/** Edits the n-th object of a kind on the server. */
type Edit = (server: ModelServer, nth: number, salt: number) => Promise<unknown>;

const nth = (server: ModelServer, kind: Kind, index: number): Remote | undefined => {
  // Objects that a `forEach` made are left out, because a pull cannot write edits of these objects.
  const all = server.list(kind).filter(({ key }) => !/-(?:eu|us)$/.test(key ?? ''));
  return all[index % Math.max(all.length, 1)];
};

const update =
  (kind: Kind, patchOf: (current: Fields, salt: number, server: ModelServer) => Fields): Edit =>
  async (server, index, salt) => {
    const current = nth(server, kind, index);
    if (current) await server.writerOf(kind).update(current.id, patchOf(fieldsOf(current), salt, server));
  };

const remove =
  (kind: Kind): Edit =>
  async (server, index) => {
    const current = nth(server, kind, index);
    if (current) await server.writerOf(kind).delete(current.id);
  };

const create =
  (kind: Kind, fieldsOfNew: (salt: number, server: ModelServer) => Fields): Edit =>
  (server, _, salt) =>
    server.writerOf(kind).create(fieldsOfNew(salt, server));

const someIds = (server: ModelServer, kind: Kind, salt: number): string[] =>
  server.list(kind).flatMap(({ id }, i) => ((salt >> (i % 8)) % 2 === 0 ? [id] : []));

/**
 * Returns the patch for a new description. The patch is empty if the description comes from a variable, because a pull
 * cannot write such a value.
 */
const described = ({ description }: Fields, text: string | null): Fields =>
  String(description).startsWith('on ') ? {} : { description: text };

const edits: readonly Edit[] = [
  update(monitor, (_, salt) => ({ interval: 100 + salt })),
  update(monitor, (_, salt) => ({ name: `Renamed ${salt}` })),
  update(monitor, (current, salt) => described(current, `# ${salt}: $\{x} 'on'`)),
  update(monitor, (current) => described(current, null)),
  update(monitor, ({ labels }, salt) => ({
    labels: { team: salt % 2 ? 'z' : null, ['new.label']: `${salt}`, ...(!labels && {}) },
  })),
  update(monitor, ({ paused }) => ({ paused: !paused })),
  update(monitor, (_, salt) => ({ regions: salt % 2 ? ['eu', 'us'] : [], retries: salt % 5 })),
  update(monitor, (_, salt) => ({ key: salt % 2 ? `key${salt}` : null })),
  update(channel, (_, salt) => ({ name: `Channel ${salt}` })),
  update(channel, (_, salt) => ({ config: { address: `c${salt}@example.com` } })),
  update(alertRule, (_, salt, server) => ({
    monitorIds: someIds(server, monitor, salt),
    consecutiveFailures: 1 + (salt % 9),
  })),
  update(alertRule, (_, salt, server) => ({ channelIds: someIds(server, channel, salt), name: `Rule ${salt}` })),
  update(statusPage, (_, salt, server) => ({ monitorIds: someIds(server, monitor, salt).toReversed() })),
  update(statusPage, (_, salt) => ({ name: `Page ${salt}`, description: salt % 2 ? `Text ${salt}` : null })),
  update(maintenanceWindow, (_, salt, server) => ({
    monitorIds: someIds(server, monitor, salt),
    scheduledEnd: `2090-02-0${1 + (salt % 9)}T00:00:00Z`,
  })),
  update(maintenanceWindow, (_, salt) => ({ title: `Window ${salt}` })),
  ...[monitor, channel, alertRule, statusPage, maintenanceWindow].map(remove),
  create(monitor, (salt) => ({
    type: 'http',
    name: `Made ${salt}`,
    url: `https://${salt}.example/`,
    labels: { tier: `${salt}` },
  })),
  create(monitor, (salt) => ({
    type: 'heartbeat',
    key: `made${salt}`,
    name: `Keyed ${salt}`,
    paused: true,
    interval: 60,
    description: null,
  })),
  create(channel, (salt) => ({ type: 'email', name: `Mail ${salt}`, config: { address: 'new@example.com' } })),
  create(alertRule, (salt, server) => ({
    name: `New rule ${salt}`,
    monitorIds: someIds(server, monitor, salt),
    channelIds: someIds(server, channel, salt),
  })),
  create(statusPage, (salt, server) => ({
    name: `New page ${salt}`,
    slug: `new-${salt}`,
    monitorIds: someIds(server, monitor, salt),
  })),
  create(maintenanceWindow, (salt, server) => ({
    title: `New ${salt}`,
    maintenance: true,
    scheduledStart: start,
    scheduledEnd: end,
    monitorIds: someIds(server, monitor, salt),
  })),
];

const someEdits = fc.uniqueArray(
  fc.record({ edit: fc.constantFrom(...edits), nth: fc.nat(20), salt: fc.integer({ min: 1, max: 9999 }) }),
  {
    minLength: 1,
    maxLength: 8,
    selector: ({ salt }) => salt,
  },
);

/** Pulls the state of the server into files that exist only in memory. */
function pullFiles(files: Files, environment: string | null, server: ModelServer): Map<string, string> {
  const { items, sources, variables, documents } = readFiles(files, environment);
  const remotes = server.remotes(...allKinds);
  const planned = planChanges(items, remotes, { prune: allKinds, isOnlyLooking: true });
  if (!planned.ok) throw new Error(planned.faults.map(({ message }) => message).join('\n'));
  const prepared = { items, sources, variables, documents, environment, remotes, plan: planned.plan };
  const pulled = pullInto(prepared);
  expect(pulled.unwritten).toEqual([]);
  return new Map([...files, ...editedTexts(pulled)]);
}

/**
 * Applies generated manifests, makes random edits on the server, and pulls these edits. Checks that the next plan is
 * empty, and that every comment is still in its file.
 */
export async function pullGenerated(count: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(generatedManifest, someEdits, async ({ files: bare, environment }, chosen) => {
      const files = withReferences(bare);
      const server = createModelServer();
      const { failed } = await applyPlan(planOfFiles(files, environment, server), server.writerOf);
      expect(failed).toEqual([]);
      expect(pullFiles(files, environment, server)).toEqual(files);
      for (const { edit, nth: index, salt } of chosen) await edit(server, index, salt);
      const pulled = pullFiles(files, environment, server);
      expect(planOfFiles(pulled, environment, server).changes, [...pulled.values()].join('\n---\n')).toEqual([]);
      for (const [name, text] of files) expect(commentsOf(pulled.get(name)!)).toEqual(commentsOf(text));
    }),
    { numRuns: count },
  );
}
