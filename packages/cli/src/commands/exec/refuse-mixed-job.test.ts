import { describe, expect, test } from 'vitest';
import { refuseMixedJob } from './refuse-mixed-job.ts';

const refusal = (line: string) => {
  try {
    refuseMixedJob(line.split(' ').filter(Boolean));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a clear command line', () => {
  test.each([
    '',
    'ls',
    'exec',
    'exec shop',
    'exec shop echo',
    'exec shop -- echo --verbose',
    'exec --retry-for 5 shop -- echo -n',
    'exec --help',
    'exec -h',
    'exec shop --help',
    '--verbose exec shop -- rm -rf',
    '--profile exec ls --wide',
    '--api-key exec monitors list --status down',
    'maintenance',
    'maintenance list --all',
    'maintenance run',
    'maintenance run --help',
    'maintenance run --monitors a --max 5m -h',
    'maintenance run --monitors a --max 5m -- echo',
    'ping exec --fail',
  ])('the command line %j runs', (line) => {
    expect(refusal(line)).toBeNull();
  });
});

test.each([
  ['exec shop echo --verbose', '--verbose'],
  ['exec shop rm -rf', '-rf'],
  ['exec --retry-for 5 shop echo', '--retry-for'],
  ['exec shop curl --data=secret', '--data'],
  ['exec shop echo --help', '--help'],
  ['--site-url http://a.example exec shop echo -n', '-n'],
  ['--verbose exec shop echo --version', '--version'],
])('the command line %j does not run, because %s may belong to uptime or to the job', (line, flag) => {
  expect(refusal(line)).toBe(`it is not clear whether ${flag} is a flag of uptime or of the job`);
});

test.each([
  'maintenance run echo',
  'maintenance run --monitors a --max 5m echo',
  '--profile work maintenance run --max 5m echo -n',
])('the command line %j does not run, because it is not clear where the job begins', (line) =>
  expect(refusal(line)).toBe('it is not clear where the job begins'),
);
