import * as z from 'zod';
import { endpoints } from './endpoint.ts';
import { name, timestamp } from './fields.ts';

export const user = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(['admin', 'user']).describe('The first user to sign up is admin.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'User' });

export const session = z
  .object({ user, session: z.object({ id: z.string(), expiresAt: timestamp, createdAt: timestamp }) })
  .meta({ id: 'Session', description: 'The signed-in user. A session lasts 7 days from its last use.' });

const email = z.email({ error: 'an e-mail address' }).max(254).describe('E-mail address.');
const password = z.string().min(8).max(128).describe('8 to 128 characters.');

const invitation = z.string().max(100).describe('Invitation code. Required if the server only accepts invited users.');

export const signUpInput = z
  .strictObject({ name, email, password, invitation: invitation.optional() })
  .meta({ id: 'SignUpInput' });
export const signInInput = z.strictObject({ email, password: z.string().max(128) }).meta({ id: 'SignInInput' });
export const passwordChange = z
  .strictObject({ currentPassword: z.string().max(128), newPassword: password })
  .meta({ id: 'PasswordChangeInput' });
export const signedIn = z
  .object({ user })
  .meta({ id: 'SignedIn', description: 'The response also sets the session cookie.' });

export const accountSession = z
  .object({
    id: z.string(),
    current: z.boolean().describe('Whether this session made the request.'),
    userAgent: z.string().nullable().describe('User agent of the program that signed in.'),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'AccountSession', description: 'A session of an account: one browser or program that is signed in.' });

export const authEndpoints = endpoints({
  signUp: {
    method: 'POST',
    path: '/auth/sign-up/email',
    access: 'public',
    status: 200,
    summary: 'Create an account and sign in.',
    body: signUpInput,
    response: signedIn,
    errors: ['forbidden', 'conflict', 'rate_limited'],
  },
  signIn: {
    method: 'POST',
    path: '/auth/sign-in/email',
    access: 'public',
    status: 200,
    summary: 'Sign in and set the session cookie.',
    body: signInInput,
    response: signedIn,
    errors: ['unauthenticated', 'rate_limited'],
  },
  signOut: {
    method: 'POST',
    path: '/auth/sign-out',
    access: 'public',
    status: 200,
    summary: 'End the session.',
    response: z.object({ success: z.boolean() }),
  },
  getSession: {
    method: 'GET',
    path: '/auth/get-session',
    access: 'public',
    status: 200,
    summary: 'Read the current session; null if the request has no session.',
    response: session.nullable(),
  },
  changePassword: {
    method: 'POST',
    path: '/auth/change-password',
    access: 'session',
    status: 200,
    summary: 'Change the password. Ends every other session, and gives the session of this request a new cookie.',
    body: passwordChange,
    response: signedIn,
    errors: ['rate_limited'],
  },
  listSessions: {
    method: 'GET',
    path: '/auth/sessions',
    access: 'session',
    status: 200,
    summary: "List the account's sessions, oldest first.",
    response: z.array(accountSession),
  },
  revokeSession: {
    method: 'DELETE',
    path: '/auth/sessions/:sessionId',
    access: 'session',
    status: 204,
    summary: 'End a session.',
    response: null,
    errors: ['not_found'],
  },
});
