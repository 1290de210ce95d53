import { expect, test } from 'vitest';
import { withoutRedirects } from './without-redirects.ts';

test.each([
  ['200', '200'],
  ['200-299', '200-299'],
  ['200-399', '200-299'],
  ['200-499', '200-299,400-499'],
  ['299-400', '299,400'],
  ['301-404', '400-404'],
  ['200,301,404', '200,404'],
  ['100-599', '100-299,400-599'],
])('the status %s without the codes of redirects is %s', (status, left) => expect(withoutRedirects(status)).toBe(left));

test.each(['301', '300-399', '301,302', '308-399'])(
  'the status %j contains only codes of redirects, so the result is undefined',
  (status) => {
    expect(withoutRedirects(status)).toBeUndefined();
  },
);
