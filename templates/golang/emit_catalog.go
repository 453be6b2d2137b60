package golang

import "github.com/dave/jennifer/jen"

// emitCatalog writes what belongs to no single URN.
func emitCatalog(p *codePackage) *jen.File {
	f := newFile(p)
	for _, line := range p.Doc {
		f.PackageComment("// " + line)
	}
	comment(f.Group, doc{
		"If this line does not compile, this code and the bqgen runtime in go.mod are of different generations. Bring both to",
		"the same release (go get github.com/babelqueue/bqgen@latest) and generate again (go tool bqgen generate).",
	})
	f.Const().Id("_").Op("=").Add(bq("Generated1"))
	f.Line()
	emitConstants(f, p)
	for _, q := range p.Queues {
		emitQueue(f, q)
	}
	emitPublishers(f, p)
	return f
}

func emitConstants(f *jen.File, p *codePackage) {
	if len(p.Messages) == 0 {
		return
	}
	f.Comment("// The URNs of the catalog.")
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, m := range p.Messages {
			comment(g, m.ConstDoc)
			g.Id(m.Const).Op("=").Lit(m.URN)
		}
	})
	f.Line()
}

func emitQueue(f *jen.File, q *queue) {
	comment(f.Group, q.Doc)
	settings := []jen.Code{
		member("Name", jen.Lit(q.Name)),
		member("Topic", jen.Lit(q.Topic)),
		member("MaxAttempts", jen.Lit(q.MaxAttempts)),
	}
	if q.DeadLetter != "" {
		settings = append(settings, member("DeadLetterTopic", jen.Lit(q.DeadLetter)))
	}
	f.Var().Id(q.Var).Op("=").Add(bq("Queue")).Add(multiline("{", "}", settings...))
	f.Line()
	if len(q.Messages) == 0 {
		return
	}
	comment(f.Group, q.HandlerDoc)
	f.Type().Id(q.Handler).InterfaceFunc(func(g *jen.Group) {
		for _, m := range q.Messages {
			g.Id(m.Handler)
		}
	})
	f.Line()
	comment(f.Group, q.ConstructorDoc)
	f.Func().Id(q.Constructor).Params(
		jen.Id("client").Qual(pulsarPath, "Client"),
		jen.Id("h").Id(q.Handler),
		jen.Id("opts").Op("...").Add(bq("ConsumerOption")),
	).Params(jen.Op("*").Add(bq("Consumer")), jen.Error()).Block(
		jen.Return(bq("NewConsumer").Call(
			jen.Id("client"), jen.Id(q.Var), bq("Routes").Add(multiline("(", ")", routes(q)...)), jen.Id("opts").Op("..."))),
	)
	f.Line()
}

func routes(q *queue) []jen.Code {
	var out []jen.Code
	for _, m := range q.Messages {
		out = append(out, jen.Id(m.On).Call(jen.Id("h").Dot(m.Method)))
	}
	return out
}

func emitPublishers(f *jen.File, p *codePackage) {
	f.Comment("// Publishers has a publisher for each URN of the catalog. All of them share one Pulsar producer for each topic.")
	f.Type().Id("Publishers").StructFunc(func(g *jen.Group) {
		for _, m := range p.Messages {
			comment(g, m.PublisherDoc)
			g.Id(m.Type).Op("*").Add(bq("Publisher")).Types(jen.Id(m.Type))
			g.Line()
		}
		g.Id("producers").Op("*").Add(bq("Producers"))
	})
	f.Line()
	f.Comment("// NewPublishers makes the publishers. A producer is created when its topic is first published to.")
	f.Func().Id("NewPublishers").Params(
		jen.Id("client").Qual(pulsarPath, "Client"),
		jen.Id("opts").Op("...").Add(bq("PublisherOption")),
	).Op("*").Id("Publishers").BlockFunc(func(g *jen.Group) {
		g.Id("p").Op(":=").Add(bq("NewProducers")).Call(jen.Id("client"), jen.Id("opts").Op("..."))
		var fields []jen.Code
		for _, m := range p.Messages {
			fields = append(fields, member(m.Type, bq("NewPublisher").Call(jen.Id("p"), jen.Id(m.Definition))))
		}
		fields = append(fields, member("producers", jen.Id("p")))
		g.Return(jen.Op("&").Id("Publishers").Add(multiline("{", "}", fields...)))
	})
	f.Line()
	f.Comment("// Close sends what is on its way and closes the producers. The client stays open.")
	f.Func().Params(jen.Id("p").Op("*").Id("Publishers")).Id("Close").Params().Error().Block(
		jen.Return(jen.Id("p").Dot("producers").Dot("Close").Call()),
	)
}
