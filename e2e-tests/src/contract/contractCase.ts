import { INTENDED_DIFFERENCES } from './intendedDifferences';
import { IS_EMBEDDED } from './hubUnderTest';

/** One promise of the Kubernetes API; what it expects is what kube-apiserver does. */
export interface ContractCase {
  readonly title: string;
  run(): Promise<void>;
}

/** Declares a case of an area. */
export type DeclareCase = (title: string, run: () => Promise<void>) => void;

const intended = new Set(INTENDED_DIFFERENCES.map(({ id }) => id));
const declared = new Set<string>();

/** A difference that is none any more has to leave the list. */
async function mustFail(run: () => Promise<void>): Promise<void> {
  const outcome = await run().then(
    () => 'like Kubernetes',
    () => 'different',
  );
  expect(outcome).toBe('different');
}

/** The cases of an area; on the embedded hub, those that differ by intent are turned round. */
export function casesOf(
  area: string,
  declare: (contractCase: DeclareCase) => void,
): ContractCase[] {
  const cases: ContractCase[] = [];
  declare((title, run) => {
    const id = `${area}: ${title}`;
    if (declared.has(id)) {
      throw new Error(`there are two cases "${id}"`);
    }
    declared.add(id);
    cases.push(
      IS_EMBEDDED && intended.has(id)
        ? { title: `${title} (differs by intent)`, run: () => mustFail(run) }
        : { title, run },
    );
  });
  return cases;
}

/** Differences listed for cases that do not exist. */
export function unknownDifferences(): string[] {
  return [...intended].filter(id => !declared.has(id));
}
