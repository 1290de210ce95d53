import { readFileSync } from 'node:fs';
import { env } from 'node:process';

// Loaded into a daemon before its own code. Shifts the wall clock of the daemon by the milliseconds in a file.
const real = Date.now.bind(Date);
Date.now = () => real() + Number(readFileSync(env['UPTIME_TEST_WALL_CLOCK']!, 'utf8'));
