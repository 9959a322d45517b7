import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FrameworkReader, type FrameworkQuestion, type Ground } from './framework-reader.js';

/** Most cached answers: a TC string of a thousand vendors takes some kilobytes. */
const KEPT_MAX = 2000;

/** `answer` is null if the caller has it already. */
export interface FrameworkAnswer<A> {
  etag: string;
  answer: A | null;
}

/** Makes each string once until its ETag changes, which covers everything that the string is made of. */
@Injectable()
export class FrameworkAnswers {
  private readonly made = new LRUCache<string, object>({ max: KEPT_MAX });

  constructor(private readonly reader: FrameworkReader) {}

  async answer<A extends object>(
    name: string,
    question: FrameworkQuestion,
    make: (ground: Ground) => A,
  ): Promise<FrameworkAnswer<A>> {
    const { etag, ground } = await this.reader.find(name, question);
    if (!ground) return { etag, answer: null };
    const { site, env } = question.caller;
    const key = `${site}.${env} ${etag}`;
    let answer = this.made.get(key) as A | undefined;
    if (!answer) this.made.set(key, (answer = make(ground)));
    return { etag, answer };
  }
}
