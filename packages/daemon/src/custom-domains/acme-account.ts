import type { Client } from 'acme-client';

/** The certificate authority has no account for this key. */
export class UnknownAccount extends Error {
  override readonly name = 'UnknownAccount';
}

/**
 * Returns an `UnknownAccount` if the authority's answer says that the account does not exist (RFC 8555, 7.3.1). Returns
 * null for every other answer.
 */
export function unknownAccountIn({ data }: { data: unknown }): UnknownAccount | null {
  const { type } = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  if (type !== 'urn:ietf:params:acme:error:accountDoesNotExist') return null;
  return new UnknownAccount('The certificate authority has no account for this key.');
}

/**
 * Finds the account of the client's key at the authority. If there is none, creates an account, and accepts the
 * authority's terms. If `unknownAccountIn` returns an error for an answer, the client must throw this error.
 */
export async function openAccount(client: Client, email: string | null): Promise<void> {
  const contact = email === null ? {} : { contact: [`mailto:${email}`] };
  if (!(await findAccount(client))) {
    try {
      await client.createAccount({ termsOfServiceAgreed: true, ...contact });
      return;
    } catch (error) {
      // The creation fails if another order has just created the account.
      if (!(await findAccount(client))) throw error;
    }
  }
  // The address may have changed since the account was created.
  if (email !== null) await client.updateAccount(contact);
}

/**
 * Whether the account exists. `openAccount` asks this first. If it tried to create an existing account, the library
 * would send the accepted terms again, and authorities may refuse that.
 */
async function findAccount(client: Client): Promise<boolean> {
  try {
    await client.createAccount({ onlyReturnExisting: true });
    return true;
  } catch (error) {
    if (error instanceof UnknownAccount) return false;
    throw error;
  }
}
