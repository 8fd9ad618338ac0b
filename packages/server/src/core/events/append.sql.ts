import { sql, type Tx } from '@namehold/base';

export async function insertEvent(
  tx: Tx,
  at: Date,
  event: {
    readonly resellerId: string;
    readonly type: string;
    readonly objectType: string;
    readonly objectId: string;
    readonly requestId?: string | null;
    readonly payload: string;
  },
): Promise<void> {
  await tx.run(sql`
    select append_event(${event.resellerId}, ${at}, ${event.type}, ${event.objectType}, ${event.objectId}, ${event.requestId ?? null},
                        ${event.payload})`);
}
