import { isJsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';

/** Shorter texts save too little memory; V8 shares the shortest by itself. */
const MIN_LENGTH = 12;

/** Values kept in each of the two generations. */
const GENERATION_SIZE = 100_000;

/** Keeps recent values, so that equal values become one object in memory. */
class RecentValues<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();

  get(key: string, value: T): T {
    const known = this.young.get(key) ?? this.old.get(key) ?? value;
    if (!this.young.has(key)) {
      if (this.young.size >= GENERATION_SIZE) {
        this.old = this.young;
        this.young = new Map();
      }
      this.young.set(key, known);
    }
    return known;
  }
}

/**
 * Shares equal parts of different objects in memory: long texts and sets of managed fields. The objects of a fleet are
 * alike, so tens of thousands of them take a fraction of the memory.
 */
export class SharedValues {
  private readonly texts = new RecentValues<string>();
  private readonly fieldSets = new RecentValues<object>();

  /** Replaces parts of an object by equal parts of earlier objects, in place, before it is stored. */
  share(object: KubernetesObject): void {
    for (const entry of object.metadata.managedFields ?? []) {
      if (entry.fieldsV1) {
        const { fieldsV1 } = entry;
        entry.fieldsV1 = this.fieldSets.get(
          JSON.stringify(fieldsV1),
          fieldsV1,
        ) as typeof fieldsV1;
      }
    }
    this.shareTexts(object);
  }

  private shareTexts(value: { [key: string]: unknown } | unknown[]): void {
    const container = value as { [key: string]: unknown };
    for (const key of Object.keys(container)) {
      const member = container[key];
      if (typeof member === 'string') {
        if (member.length >= MIN_LENGTH) {
          container[key] = this.texts.get(member, member);
        }
      } else if (
        key !== 'fieldsV1' &&
        (Array.isArray(member) || isJsonObject(member))
      ) {
        this.shareTexts(member);
      }
    }
  }
}
