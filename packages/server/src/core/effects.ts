/** A point of a change at which modules above the changing one act, in its transaction. The module that makes the change declares it. */
interface EffectPoint<Event> {
  readonly name: string;
  /** Never set: the type of the event, for the compiler. */
  readonly event?: (event: Event) => void;
}

export const effectPoint = <Event>(name: string): EffectPoint<Event> => ({ name });

export type EventAt<Point> = Point extends EffectPoint<infer Event> ? Event : never;

type Effect<Event> = (event: Event) => Promise<void>;

/** Who acts at each point, and in which order. `composition/effects.ts` registers them. */
export class Effects {
  readonly #registered = new Map<EffectPoint<never>, readonly Effect<never>[]>();

  register<Event>(point: EffectPoint<Event>, ...effects: readonly Effect<Event>[]): this {
    this.#registered.set(point, effects);
    return this;
  }

  /** One after the other. An effect that throws ends the transaction of the change. */
  async run<Event>(point: EffectPoint<Event>, event: Event): Promise<void> {
    const effects = this.#registered.get(point) as readonly Effect<Event>[] | undefined;
    if (!effects) throw new Error(`no effects are registered for: ${point.name}`);
    for (const effect of effects) await effect(event);
  }
}
