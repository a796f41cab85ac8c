import { isJsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';

/** Shorter texts are not worth a look; V8 shares the shortest by itself. */
const SHORTEST = 12;

/** Values remembered before the older half is forgotten. */
const REMEMBERED = 100_000;

/** Remembers values seen lately, so that equal ones become one and the same. */
class RecentValues<T> {
  private young = new Map<string, T>();
  private old = new Map<string, T>();

  get(key: string, value: T): T {
    const known = this.young.get(key) ?? this.old.get(key) ?? value;
    if (!this.young.has(key)) {
      if (this.young.size >= REMEMBERED) {
        this.old = this.young;
        this.young = new Map();
      }
      this.young.set(key, known);
    }
    return known;
  }
}

/**
 * Makes equal parts of different objects one: their long texts, and who owns
 * which fields. The objects of a fleet are alike, so that tens of thousands of
 * them take a fraction of the memory.
 */
export class SharedValues {
  private readonly texts = new RecentValues<string>();
  private readonly fieldSets = new RecentValues<object>();

  /** Replaces parts of an object by equal ones of earlier objects, before anybody else gets to see it. */
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
        if (member.length >= SHORTEST) {
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
