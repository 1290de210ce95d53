import type { AccountSession } from '@uptime/sdk';
import type { Server } from '../connection.ts';
import { timeColumn } from '../list-table.ts';
import type { Listing } from './noun.ts';

/** The noun for the sessions of an account. They can only be listed and revoked. */
export const sessions = {
  word: 'sessions',
  account: true,

  list: {
    summary: 'list the sessions of your account',
    examples: ['sessions list', 'sessions list -o json'],
    read: ({ client, signal }: Server) => client.auth.listSessions({ signal }),
    columns: ({ now }) => [
      { title: 'THIS', value: ({ current }) => (current ? '*' : '') },
      { title: 'PROGRAM', value: ({ userAgent }) => userAgent ?? '', cut: true },
      timeColumn('CREATED', { read: ({ createdAt }) => createdAt, now }),
      timeColumn('EXPIRES', { read: ({ expiresAt }) => expiresAt, now }),
      { title: 'ID', value: ({ id }) => id },
    ],
  } satisfies Listing<AccountSession>,
} as const;
