import {
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  stringify,
  type Document,
  type Scalar,
  type YAMLMap,
} from 'yaml';

/** Texts of files, by their path below a folder. */
export type Files = ReadonlyMap<string, string>;

/** A value that a promotion moves. */
export interface PromotedChange {
  /** The file that it changes, below the folder. */
  readonly file: string;
  /** What the value is of, such as `image shop`. */
  readonly what: string;
  /** Empty where it is new. */
  readonly before: string;
  readonly after: string;
}

/** What a promotion makes of a folder. */
export interface PromotedFiles {
  readonly changes: readonly PromotedChange[];
  /** The new texts of the files that change. */
  readonly files: Files;
  /** How many values both folders have, whether they differ or not. */
  readonly compared: number;
  /** Files that cannot be read, with the reason. */
  readonly unreadable: readonly string[];
}

/** Where a value is: in a document of a file. */
interface Place {
  readonly file: string;
  readonly document: Document.Parsed;
  /** Keys and indexes. */
  readonly path: readonly (string | number)[];
  readonly value: string;
}

/** An entry of a kustomization's `images`. */
interface ImageEntry extends Omit<Place, 'value'> {
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
}

interface Folder {
  readonly documents: ReadonlyMap<string, readonly Document.Parsed[]>;
  readonly values: ReadonlyMap<string, Place>;
  readonly kustomization?: Pick<Place, 'file' | 'document'>;
  readonly images: readonly ImageEntry[];
  readonly unreadable: readonly string[];
}

const KUSTOMIZATION = /^kustomization\.ya?ml$/;
const IMAGE_FIELDS = ['newName', 'newTag', 'digest'];
/** Deeper than any manifest or values file. */
const MAX_DEPTH = 50;

/**
 * Moves the versions of one folder's files into those of another: images of a kustomization and versions of its charts;
 * images of the containers of manifests of the same kind and name; `image` in the same file of Helm values; versions of a
 * chart's dependencies, and its `appVersion`. All else stays as it is, and so do the text and the comments around the values.
 */
export function promoteValues(from: Files, to: Files): PromotedFiles {
  const [source, target] = [readFolder(from), readFolder(to)];
  const changes: PromotedChange[] = [];
  const edits: (Omit<Place, 'value'> & { value: string | undefined })[] = [];
  let compared = 0;

  for (const [what, place] of target.values) {
    const wanted = source.values.get(what);
    if (wanted) {
      compared += 1;
      if (wanted.value !== place.value) {
        const { file, value: before } = place;
        changes.push({ file, what, before, after: wanted.value });
        edits.push({ ...place, value: wanted.value });
      }
    }
  }

  const added: ImageEntry[] = [];
  const { kustomization } = target;
  for (const wanted of kustomization ? source.images : []) {
    const { name, fields } = wanted;
    const present = target.images.find(each => each.name === name);
    const before = present ? describeImage(present) : '';
    const after = describeImage(wanted);
    compared += 1;
    if (before !== after && kustomization) {
      const { file } = kustomization;
      changes.push({ file, what: `image ${name}`, before, after });
      if (present) {
        for (const field of IMAGE_FIELDS) {
          if (fields.get(field) !== present.fields.get(field)) {
            const path = [...present.path, field];
            edits.push({ ...present, path, value: fields.get(field) });
          }
        }
      } else {
        added.push(wanted);
      }
    }
  }

  const files = new Map<string, string>();
  for (const file of new Set(changes.map(change => change.file))) {
    const text = to.get(file) ?? '';
    const ofFile = edits.filter(edit => edit.file === file);
    files.set(
      file,
      (added.length === 0 || file !== kustomization?.file
        ? replaceScalars(text, ofFile)
        : undefined) ?? rewrite(target, file, ofFile, added),
    );
  }
  return {
    ...{ changes, files, compared },
    unreadable: [...source.unreadable, ...target.unreadable],
  };
}

/**
 * Writes a revision into the manifest of an ApplicationSet with one source, and leaves all else in it as it is.
 * @param name - of the ApplicationSet
 * @returns undefined where the files have no such manifest, in a form that can be changed
 */
export function promoteRevision(
  files: Files,
  name: string,
  targetRevision: string,
): PromotedFiles | undefined {
  const path = ['spec', 'template', 'spec', 'source', 'targetRevision'];
  for (const [file, text] of files) {
    for (const document of parseAllDocuments(text) as Document.Parsed[]) {
      const isManifest =
        document.errors.length === 0 &&
        textAt(document, ['kind']) === 'ApplicationSet' &&
        textAt(document, ['metadata', 'name']) === name;
      const before = isManifest ? textAt(document, path) : undefined;
      if (before === undefined) {
        continue;
      }
      const changed = replaceScalars(text, [
        { file, document, path, value: targetRevision },
      ]);
      if (changed === undefined) {
        return undefined;
      }
      const change = { what: 'targetRevision', before, after: targetRevision };
      const differs = before !== targetRevision;
      return {
        changes: differs ? [{ file, ...change }] : [],
        files: new Map(differs ? [[file, changed]] : []),
        ...{ compared: 1, unreadable: [] },
      };
    }
  }
  return undefined;
}

function describeImage({ name, fields }: ImageEntry): string {
  const newName = fields.get('newName') ?? name;
  const [tag, digest] = [fields.get('newTag'), fields.get('digest')];
  return [newName, tag && `:${tag}`, digest && `@${digest}`].join('');
}

/** The text with each scalar replaced in its place; undefined where a key has to be added or removed. */
function replaceScalars(
  text: string,
  edits: readonly (Omit<Place, 'value'> & { value: string | undefined })[],
): string | undefined {
  const ranges: { start: number; end: number; value: string }[] = [];
  for (const { document, path, value } of edits) {
    const node = document.getIn(path, true);
    if (value === undefined || !isScalar(node) || !node.range) {
      return undefined;
    }
    const [start, end] = node.range;
    ranges.push({ start, end, value: quoted(value, node) });
  }
  return ranges
    .sort((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, value }) =>
        `${result.slice(0, start)}${value}${result.slice(end)}`,
      text,
    );
}

/** A text as YAML, in the quotes of the scalar that it replaces. */
function quoted(value: string, { type }: Scalar): string {
  const quotes = type?.startsWith('QUOTE') ? { defaultStringType: type } : {};
  return stringify(value, {
    ...(quotes as { defaultStringType?: 'QUOTE_DOUBLE' }),
    lineWidth: 0,
  }).trim();
}

function rewrite(
  { documents }: Folder,
  file: string,
  edits: readonly (Omit<Place, 'value'> & { value: string | undefined })[],
  added: readonly ImageEntry[],
): string {
  const ofFile = documents.get(file) ?? [];
  for (const { document, path, value } of edits) {
    if (value === undefined) {
      document.deleteIn(path);
    } else {
      document.setIn(path, value);
    }
  }
  for (const { name, fields } of added) {
    const [document] = ofFile;
    const entry = { name, ...Object.fromEntries(fields) };
    if (isSeq(document.get('images'))) {
      document.addIn(['images'], document.createNode(entry));
    } else {
      document.set('images', document.createNode([entry]));
    }
  }
  return ofFile.map(document => document.toString({ lineWidth: 0 })).join('');
}

function readFolder(files: Files): Folder {
  const documents = new Map<string, Document.Parsed[]>();
  const values = new Map<string, Place>();
  const images: ImageEntry[] = [];
  const unreadable: string[] = [];
  let kustomization: Folder['kustomization'];
  const isChart = files.has('Chart.yaml');
  for (const [file, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // The templates of a chart are no YAML before they are rendered.
    if (!/\.ya?ml$/.test(file) || (isChart && file.startsWith('templates/'))) {
      continue;
    }
    const parsed = parseAllDocuments(text) as Document.Parsed[];
    const [error] = parsed.flatMap(({ errors }) => errors);
    if (error) {
      unreadable.push(`${file}: ${error.message.split('\n')[0]}`);
      continue;
    }
    documents.set(file, parsed);
    for (const document of parsed) {
      const add = (what: string, path: (string | number)[]) => {
        const value = textAt(document, path);
        if (value !== undefined && !isVersion(value)) {
          unreadable.push(`${file}: ${what} is neither an image nor a version`);
        } else if (value !== undefined && !values.has(what)) {
          values.set(what, { file, document, path, value });
        }
      };
      if (KUSTOMIZATION.test(file)) {
        kustomization = { file, document };
        images.push(...imageEntries(file, document));
        namesIn(document, ['helmCharts']).forEach(([name, index]) =>
          add(`chart ${name}`, ['helmCharts', index, 'version']),
        );
      } else if (file === 'Chart.yaml') {
        add('appVersion', ['appVersion']);
        namesIn(document, ['dependencies']).forEach(([name, index]) =>
          add(`chart ${name}`, ['dependencies', index, 'version']),
        );
      } else if (document.has('kind') && document.has('apiVersion')) {
        const kind = textAt(document, ['kind']);
        const name = textAt(document, ['metadata', 'name']);
        for (const [container, path] of containersIn(document)) {
          add(`image of ${kind} ${name}, container ${container}`, path);
        }
      } else if (isChart) {
        for (const path of valuesImagesIn(document)) {
          add(`${path.join('.')} in ${file}`, path);
        }
      }
    }
  }
  return { documents, values, kustomization, images, unreadable };
}

/** A scalar as it is written: 1.10 is a version, and no number. */
function textAt(
  document: Document.Parsed,
  path: readonly (string | number)[],
): string | undefined {
  const node = document.getIn(path, true);
  if (!isScalar(node) || node.value === null) {
    return undefined;
  }
  return typeof node.value === 'string'
    ? node.value
    : (node.source ?? String(node.value));
}

/** What takes another text's place in YAML must be one word, or a range of versions. */
function isVersion(text: string): boolean {
  return /^[-\w.+~^<>=*/:@| ]{1,500}$/.test(text);
}

/** The names of a list's entries, with their indexes. */
function namesIn(
  document: Document.Parsed,
  path: readonly (string | number)[],
): [string, number][] {
  const list = document.getIn(path, true);
  return isSeq(list)
    ? list.items.flatMap((_, index): [string, number][] => {
        const name = textAt(document, [...path, index, 'name']);
        return name === undefined ? [] : [[name, index]];
      })
    : [];
}

function imageEntries(file: string, document: Document.Parsed): ImageEntry[] {
  return namesIn(document, ['images']).map(([name, index]) => {
    const path = ['images', index];
    const fields = IMAGE_FIELDS.flatMap((field): [string, string][] => {
      const value = textAt(document, [...path, field]);
      return value === undefined || !isVersion(value) ? [] : [[field, value]];
    });
    return { file, document, path, name, fields: new Map(fields) };
  });
}

type Keys = (string | number)[];

/** The containers of a pod, its template, or the template of a job's template. */
function containersIn(document: Document.Parsed): [string, Keys][] {
  return [
    ['spec'],
    ['spec', 'template', 'spec'],
    ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ].flatMap(pod =>
    ['initContainers', 'containers'].flatMap(list =>
      namesIn(document, [...pod, list]).map(([name, index]): [string, Keys] => [
        name,
        [...pod, list, index, 'image'],
      ]),
    ),
  );
}

/** Each `image` of Helm values: a text, or its `repository`, `tag` and `digest`. */
function valuesImagesIn(document: Document.Parsed): Keys[] {
  const found: Keys[] = [];
  function visit(map: YAMLMap, path: Keys) {
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : undefined;
      if (name === undefined || path.length > MAX_DEPTH) {
        continue;
      }
      if (name === 'image' && isScalar(value)) {
        found.push([...path, name]);
      } else if (name === 'image' && isMap(value)) {
        for (const field of ['repository', 'tag', 'digest']) {
          found.push([...path, name, field]);
        }
      } else if (isMap(value)) {
        visit(value, [...path, name]);
      }
    }
  }
  if (isMap(document.contents)) {
    visit(document.contents, []);
  }
  return found;
}
