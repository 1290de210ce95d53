import type { ReadRegistration } from '../expiry/registration.ts';
import type { Courier } from '../operations/courier.ts';

const refuse = () => {
  throw new Error('Nothing is to be sent here.');
};

/** A courier for tests that have no channels. */
export const neverCalled: Courier = { seal: refuse, open: refuse, send: refuse };

/** Asks no registry. */
export const askNobody: ReadRegistration = () => refuse();
