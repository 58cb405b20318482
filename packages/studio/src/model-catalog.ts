import type { Engine, Model } from "./engines/engine.ts";

/** The offered models. */
export interface Catalog {
	readonly models: readonly Model[];
	/** The scenes of all models. A request with another scene contains a typing error. */
	readonly scenes: ReadonlySet<string>;
	/** Returns `undefined` for a model that is not offered. */
	find(modelId: string): Model | undefined;
}

/** A model that several engines serve is described by the first of them. */
export function createCatalog(engines: readonly Engine[]): Catalog {
	const byId = new Map<string, Model>();
	for (const model of engines.flatMap((engine) => engine.models())) {
		if (!byId.has(model.id)) byId.set(model.id, model);
	}
	const models = [...byId.values()];

	return {
		models,
		scenes: new Set(models.flatMap(({ scenes }) => scenes)),
		find: (modelId) => byId.get(modelId),
	};
}
