import { shownFlags } from '../../flags/output-flags.ts';
import { projects, withoutKey } from '../../nouns/projects.ts';
import { output } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';

export const useProjectCommand = onOne(projects, {
  verb: 'use',
  summary: 'choose the project for further commands',
  examples: ['projects use shop', 'projects use shop --profile default'],
  output: shownFlags,

  async run(project, { format, quiet }, { io, context, settings }) {
    const { useProject } = await import('../../nouns/projects/use-project.ts');
    await useProject(project, settings, context, { current: true });
    if (quiet) io.print(project.id);
    else await output(io, format, withoutKey(project), () => '');
  },
});
