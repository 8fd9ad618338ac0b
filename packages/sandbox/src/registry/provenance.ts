/** Sponsor, creator and last changer of an object, with dates (RFC 5731 to 5733, infData). */
export interface Provenance {
  readonly sponsor: string;
  readonly creator: string;
  readonly createdAt: Date;
  readonly updater: string | null;
  readonly updatedAt: Date | null;
  readonly transferredAt: Date | null;
}

export const provenance = (object: Provenance) => ({
  clID: object.sponsor,
  crID: object.creator,
  crDate: object.createdAt,
  ...(object.updater === null ? {} : { upID: object.updater }),
  ...(object.updatedAt === null ? {} : { upDate: object.updatedAt }),
  ...(object.transferredAt === null ? {} : { trDate: object.transferredAt }),
});
