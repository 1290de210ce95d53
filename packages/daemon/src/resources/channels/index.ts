import type { Handlers } from '../handler.ts';
import { confirmChannel } from './confirm.ts';
import { listChannels } from './read.ts';
import { testChannel } from './test-channel.ts';
import { createChannel, deleteChannel, updateChannel } from './write.ts';

export const channelHandlers = {
  listChannels,
  createChannel,
  updateChannel,
  deleteChannel,
  testChannel,
  confirmChannel,
} satisfies Handlers;
