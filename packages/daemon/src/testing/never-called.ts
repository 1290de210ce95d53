import type { ReadRegistration } from '../expiry/registration.ts';
import type { Courier } from '../alerting/courier.ts';

const refuse = () => {
  throw new Error('This test must send nothing.');
};

/** A courier for tests without channels. */
export const neverCalled: Courier = { seal: refuse, open: refuse, send: refuse };

/** Never asks a registry. */
export const askNobody: ReadRegistration = () => refuse();
