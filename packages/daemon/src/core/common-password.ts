/**
 * Common passwords of at least 8 characters. The list leaves out runs such as `12345678` and repetitions of one
 * character, because `isCommonPassword` finds them without the list.
 */
const commonPasswords = [
  'password password1 passw0rd p@ssw0rd p@ssword qwertyui qwertyuiop asdfghjk asdfghjkl qazwsxedc 1q2w3e4r 1qaz2wsx',
  'iloveyou sunshine princess football baseball superman trustno1 starwars whatever computer internet changeme',
  'administrator jennifer michelle letmein1 welcome1 admin123 abcd1234 abc12345',
]
  .join(' ')
  .split(' ');

/** Whether a password is one of the most common passwords, one character repeated, or a run such as `12345678`. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return /^(.)\1*$/u.test(lower) || isRun(lower) || commonPasswords.includes(lower);
}

/** Whether a text is a run: it counts up or down by one at each character. After 9 comes 0. */
function isRun(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, at) => text.charCodeAt(at + 1) - text.charCodeAt(at));
  const upwards = steps.every((step, at) => step === 1 || (step === -9 && text[at] === '9'));
  return upwards || steps.every((step, at) => step === -1 || (step === 9 && text[at] === '0'));
}
