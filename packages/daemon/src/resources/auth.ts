import type { accountSession, user } from '@uptime/sdk/contract';
import type * as z from 'zod';
import { notFound } from '../errors.ts';
import type { OneSession, User } from './accounts.ts';
import type { Handler } from './handler.ts';

export const signUp: Handler<'signUp'> = async (request, { accounts }) => {
  const signedIn = await accounts.signUp(request.body, request.headers);
  request.setHeader('set-cookie', signedIn.cookies);
  return { user: renderUser(signedIn.user) };
};

export const signIn: Handler<'signIn'> = async (request, { accounts }) => {
  const signedIn = await accounts.signIn(request.body, request.headers);
  request.setHeader('set-cookie', signedIn.cookies);
  return { user: renderUser(signedIn.user) };
};

export const signOut: Handler<'signOut'> = async (request, { accounts }) => {
  request.setHeader('set-cookie', await accounts.signOut(request.headers));
  return { success: true };
};

export const getSession: Handler<'getSession'> = async (request, { accounts }) => {
  const found = await accounts.session(request.headers);
  if (!found) return null;
  if (found.cookies.length > 0) request.setHeader('set-cookie', found.cookies);
  return {
    user: renderUser(found.user),
    session: {
      id: found.session.id,
      createdAt: found.session.createdAt.toISOString(),
      expiresAt: found.session.expiresAt.toISOString(),
    },
  };
};

export const changePassword: Handler<'changePassword'> = async (request, { accounts }) => {
  const signedIn = await accounts.changePassword(request.body, request.headers);
  request.setHeader('set-cookie', signedIn.cookies);
  return { user: renderUser(signedIn.user) };
};

export const listSessions: Handler<'listSessions'> = async (request, { accounts }) => {
  const [own, all] = [await accounts.session(request.headers), await accounts.sessions(request.headers)];
  return all.map((one) => renderSession(one, one.id === own?.session.id));
};

export const revokeSession: Handler<'revokeSession'> = async (request, { accounts }) => {
  if (!(await accounts.endSession(request.params.sessionId, request.headers))) throw notFound('session');
};

const renderSession = (row: OneSession, current: boolean): z.output<typeof accountSession> => ({
  id: row.id,
  current,
  userAgent: row.userAgent || null,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

const renderUser = (row: User): z.output<typeof user> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
