import type { Project } from '@uptime/sdk';
import type { FieldFlag } from '../flags/field-flags.ts';
import { isSet } from '../flags/raw-flags.ts';
import { timeColumn } from '../list-table.ts';
import { output, pairs, plain } from '../output.ts';
import { maskKey } from '../mask-key.ts';
import type { Noun } from './noun.ts';

const flags: readonly FieldFlag[] = [
  { field: 'name', flag: '--name <text>', kind: 'text', about: 'display name, 1 to 200 characters' },
];

export const projects = {
  word: 'projects',
  one: 'project',
  many: 'projects',
  account: true,
  argument: ['project', 'its id or name'],

  async find(word, { client, signal }): Promise<Project> {
    const { find } = await import('./find.ts');
    const all = client.projects.list({}, { signal });
    return find<Project>(word, projects, {
      by: 'id or name',
      prefix: '',
      keyless: true,
      list: () => all,
    });
  },
  async show(project, { format, quiet, showKey }, { io }) {
    if (quiet) return io.print(project.id);
    const shown = showKey ? project : withoutKey(project);
    await output(io, format, shown, () => pairs(Object.entries(shown)));
  },
  showFlags: (command) => void command.option('--show-key', 'print the whole API key'),
  calls: ({ projects }) => projects,
  fields: {
    flags,
    declare: (command) => flags.forEach(({ flag, about }) => command.requiredOption(flag, about)),
    rules: async () => (await import('../kinds/project.ts')).projectRules,
  },

  list: {
    summary: 'list the projects of your account',
    examples: ['projects list', 'projects list -o json'],
    read: ({ client, signal }) => client.projects.list({}, { signal }),
    empty: 'No projects yet. `uptime projects create --name <name> --use` creates one.',
    columns({ now, connection: { context, settings } }) {
      const inUse = context.settings(settings).apiKey?.value;
      return [
        { title: 'IN USE', value: ({ apiKey }) => (apiKey === inUse ? '*' : '') },
        { title: 'NAME', value: ({ name }) => name, cut: true },
        { title: 'KEY', value: ({ apiKey }) => maskKey(apiKey) },
        timeColumn('CREATED', { read: ({ createdAt }) => createdAt, now }),
        { title: 'ID', value: ({ id }) => id, wide: true },
      ];
    },
    data: async () => withoutKey,
  },
  get: {
    summary: 'show one project',
    examples: ['projects get shop', 'projects get shop -o yaml'],
  },
  create: {
    summary: 'create a project with its own API key',
    examples: ['projects create --name stock', 'projects create --name stock --use'],
    flags: (command) => void command.option('--use', 'store its key in the profile, so that further commands use it'),
    async after(project, { shown, flags }, { context, settings, io }) {
      if (isSet(flags, 'use')) {
        const { useProject } = await import('./projects/use-project.ts');
        await useProject(project, settings, context, { current: true });
      } else if (!shown.quiet) io.say(`\`uptime projects use ${project.id}\` makes further commands use this project.`);
    },
  },
  update: {
    summary: 'rename a project',
    examples: ['projects update shop --name shop-and-stock', 'projects update shop --name shop -o json'],
    such: '--name shop',
    withoutUnset: true,
  },
  delete: {
    summary: 'delete a project and everything in it',
    examples: ['projects delete shop --yes', 'projects delete shop --yes --profile default'],
    subject: ({ name }) => `project ${plain(name)}`,
    loses: ({ id }) => ` (${id}), its monitors and all their history`,
    printed: ({ id, name }) => ({ id, name }),
    after({ apiKey }, { context, settings, io }) {
      if (context.settings(settings).apiKey?.value !== apiKey) return;
      io.say('This project was in use: `uptime projects use <project>` selects another.');
    },
  },
} as const satisfies Noun<Project>;

/** Returns a project with its API key masked. */
export const withoutKey = (project: Project): Project => ({ ...project, apiKey: maskKey(project.apiKey) });
