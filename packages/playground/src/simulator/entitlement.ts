export interface Entitlement {
	readonly id: string;
	readonly skuId: string;
	readonly userId: string;
	readonly guildId: string | null;
	readonly isTest: boolean;
	readonly isConsumed: boolean;
	readonly isDeleted: boolean;
	readonly createdMs: number;
}
