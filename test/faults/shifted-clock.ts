import { readFileSync } from 'node:fs';
import { env } from 'node:process';

// Loaded before a daemon. Shifts its wall clock by the milliseconds in a file.
const real = Date.now.bind(Date);
Date.now = () => real() + Number(readFileSync(env['UPTIME_TEST_WALL_CLOCK']!, 'utf8'));
