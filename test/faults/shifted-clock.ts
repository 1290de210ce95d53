import { readFileSync } from 'node:fs';
import { env } from 'node:process';

// Loaded before a daemon: its wall clock is wrong by as many milliseconds as a file says.
const real = Date.now.bind(Date);
Date.now = () => real() + Number(readFileSync(env['UPTIME_TEST_WALL_CLOCK']!, 'utf8'));
