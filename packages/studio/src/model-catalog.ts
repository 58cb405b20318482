import type { CatalogModel } from "./engines/catalog-model.ts";
import type { Engine } from "./engines/engine.ts";

/** The offered models. */
export interface Catalog {
	readonly models: readonly CatalogModel[];
	/** The scenes of all models. A request with another scene contains a typing error. */
	readonly scenes: ReadonlySet<string>;
	/** Returns `undefined` for a model that is not offered. */
	find(modelId: string): CatalogModel | undefined;
}

/** A model that several engines serve is described by the first of them. */
export function createCatalog(engines: readonly Engine[]): Catalog {
	const byId = new Map<string, CatalogModel>();
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
