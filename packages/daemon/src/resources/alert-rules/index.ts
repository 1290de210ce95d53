import type { Handlers } from '../handler.ts';
import { listAlertRules } from './read.ts';
import { createAlertRule, deleteAlertRule, updateAlertRule } from './write.ts';

export const alertRuleHandlers = {
  listAlertRules,
  createAlertRule,
  updateAlertRule,
  deleteAlertRule,
} satisfies Handlers;
