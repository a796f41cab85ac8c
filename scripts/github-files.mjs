// Workflows, issue forms and the configuration of dependency updates: GitHub says nothing about a file that it ignores
// because of a mistake. So each is parsed, and what GitHub requires of it is there.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './paths.mjs';

/** What is wrong with a workflow. */
function* problemsOfWorkflow({ on, jobs }) {
  if (!on) {
    yield 'no `on`: it never runs';
  }
  for (const [name, job] of Object.entries(jobs ?? {})) {
    if (!job['runs-on'] || !job['timeout-minutes'] || !job.steps?.length) {
      yield `job ${name}: no runs-on, timeout-minutes or steps`;
    }
    for (const step of job.steps ?? []) {
      if (Boolean(step.run) === Boolean(step.uses)) {
        yield `job ${name}: a step has to have either run or uses`;
      }
      if (step.uses && !/@[\da-f]{40}$/.test(step.uses)) {
        // Whoever controls an action moves its tags as they like, and it runs with the tokens of the job.
        yield `job ${name}: ${step.uses} is not pinned to a commit`;
      }
      const [, script] = step.run?.match(/^npm run (\S+)/) ?? [];
      if (script && !scripts[script]) {
        yield `job ${name}: package.json has no script ${script}`;
      }
    }
  }
}

/** What is wrong with an issue form. */
function* problemsOfForm({ name, description, body }) {
  if (!name || !description || !body?.length) {
    yield 'no name, description or body';
  }
  const ids = (body ?? []).flatMap(({ id }) => (id ? [id] : []));
  if (new Set(ids).size < ids.length) {
    yield 'two fields have the same id';
  }
  for (const { type, attributes } of body ?? []) {
    if (!(type === 'markdown' ? attributes?.value : attributes?.label)) {
      yield `a field of type ${type} has no label or text`;
    }
  }
}

function* problemsOfUpdates({ version, updates }) {
  if (version !== 2 || !updates?.every(one => one['package-ecosystem'])) {
    yield 'no version 2 or no package-ecosystem';
  }
}

const { scripts } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

function problemsIn(path) {
  const content = parse(readFileSync(path, 'utf8'), { uniqueKeys: true });
  if (basename(dirname(path)) === 'workflows') {
    return [...problemsOfWorkflow(content)];
  }
  if (basename(path) === 'dependabot.yml') {
    return [...problemsOfUpdates(content)];
  }
  return basename(path) === 'config.yml' ? [] : [...problemsOfForm(content)];
}

/** Advisories appear without a commit: an audit that runs only with changes would not see them. */
function hasScheduledAudit({ on, jobs }) {
  return (
    on?.schedule?.length > 0 &&
    Object.values(jobs ?? {}).some(({ if: condition, steps }) =>
      steps?.some(({ run }) => !condition && / npm audit /.test(run ?? '')),
    )
  );
}

export async function checkGithubFiles() {
  const folder = join(ROOT, '.github');
  const problems = readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.yml'))
    .flatMap(name =>
      problemsIn(join(folder, name)).map(text => `.github/${name}: ${text}`),
    );
  const workflows = join(folder, 'workflows');
  if (
    !readdirSync(workflows).some(name =>
      hasScheduledAudit(parse(readFileSync(join(workflows, name), 'utf8'))),
    )
  ) {
    problems.push('.github/workflows: no audit of dependencies on a schedule');
  }
  if (problems.length > 0) {
    throw new Error(problems.join('\n'));
  }
}
