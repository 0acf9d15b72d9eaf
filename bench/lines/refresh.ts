import { productionWorkflow } from '../../test/host/production-workflow';
import { Service } from '../../test/host/service';
import { withHost } from '../lib/n8n';
import type { Line } from '../table';

/** Durations of jobs that end between two polls: after the second poll, and after the third. */
const JOB_SECONDS = [95, 170];
const RETRY_AFTER_S = 60;

interface Waited {
  /** Time from the end of the job to the end of the execution, in seconds. */
  readonly lateS: number;
  /** Times between consecutive polls, in seconds. */
  readonly gapsS: readonly number[];
}

/** Refresh and Wait in production, where n8n suspends the execution while it waits. */
export const refresh: Line = {
  name: 'refresh',
  title: 'Result of a refresh job',
  waits: true,
  once: 'Measured once: refresh jobs are waited for in real minutes.',
  measure: async () => {
    const waits = await withHost({}, async (host) => {
      const service = new Service(host);
      const domains = await service.domains(JOB_SECONDS.length);
      const workflow = await productionWorkflow(host, 'Bench', {
        type: 'refreshAndWait',
        parameters: { operation: 'refreshAndWait', domain: '={{ $json.company }}', options: {} },
      });
      const started: Array<() => Promise<Waited>> = [];
      for (const [index, seconds] of JOB_SECONDS.entries()) {
        await service.jobsTakeSeconds(seconds);
        const id = await workflow.start([{ company: domains[index] }]);
        await workflow.until(id, ['waiting']);
        started.push(async () => {
          const { stoppedAt } = await workflow.until(id, ['success'], 400_000);
          const job = `job_${String(index + 1).padStart(6, '0')}`;
          const { completed_at: completedAt } = await service.ask(`jobs/${job}`);
          const polls = (await service.polls()).get(job)?.slice(0, -1) ?? [];
          return {
            lateS: (stoppedAt - Date.parse(String(completedAt))) / 1000,
            gapsS: polls.slice(1).map((at, poll) => (at - (polls[poll] ?? 0)) / 1000),
          };
        });
      }
      return await Promise.all(started.map(async (result) => await result()));
    });
    const late = Math.max(...waits.map(({ lateS }) => lateS));
    const gaps = waits.flatMap(({ gapsS }) => gapsS);
    const interval = Math.max(...gaps);
    const shortest = Math.min(...gaps);
    return [
      {
        what: 'Result of a refresh job, after the job is over',
        ours: `${late.toFixed(0)} s`,
        against: `one poll interval: ${interval.toFixed(0)} s`,
        ratio: late / interval,
        target: '≤ 1',
        met: late <= interval,
      },
      {
        what: 'Shortest wait between two polls of a job',
        ours: `${shortest.toFixed(0)} s`,
        against: `Retry-After: ${String(RETRY_AFTER_S)} s`,
        ratio: shortest / RETRY_AFTER_S,
        target: '≥ 1',
        met: shortest >= RETRY_AFTER_S,
      },
    ];
  },
};
