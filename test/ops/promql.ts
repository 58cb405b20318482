import { parser } from "@prometheus-io/lezer-promql";
import type { SyntaxNode } from "@lezer/common";

interface Matcher {
	readonly label: string;
	readonly operator: string;
	readonly value: string;
}

/** One metric in an expression, with the operations on it. */
export interface Selector {
	readonly metric: string;
	readonly matchers: readonly Matcher[];
	/** The functions around it, innermost first. */
	readonly functions: readonly string[];
	/** Labels that the aggregations around it keep. */
	readonly keptLabels: readonly string[];
}

/** Returns the metrics of an expression. Throws if it is not valid PromQL. */
export function readExpression(expression: string): readonly Selector[] {
	const textOf = ({ from, to }: SyntaxNode): string => expression.slice(from, to);
	const selectors: Selector[] = [];
	parser.parse(expression).iterate({
		enter({ node, type }) {
			if (type.isError) throw new Error(`invalid PromQL at ${node.from}: ${expression}`);
			if (type.name === "VectorSelector") selectors.push(selectorOf(node));
		},
	});
	return selectors;

	function selectorOf(node: SyntaxNode): Selector {
		const metric = node.getChild("Identifier");
		const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
		const ancestors = ancestorsOf(node);
		return {
			metric: metric ? textOf(metric) : "",
			matchers: matchers.map((matcher) => {
				const [, label = "", operator = "", value = ""] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(textOf(matcher)) ?? [];
				return { label, operator, value };
			}),
			functions: ancestors.flatMap((each) => {
				const name = each.name === "FunctionCall" ? each.getChild("FunctionIdentifier") : null;
				return name ? [textOf(name)] : [];
			}),
			keptLabels: ancestors.flatMap((each) =>
				(each.getChild("AggregateModifier")?.getChild("GroupingLabels")?.getChildren("LabelName") ?? []).map(textOf),
			),
		};
	}
}

function ancestorsOf(node: SyntaxNode): readonly SyntaxNode[] {
	return node.parent ? [node.parent, ...ancestorsOf(node.parent)] : [];
}
