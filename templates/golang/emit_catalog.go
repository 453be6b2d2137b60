package golang

import "github.com/dave/jennifer/jen"

// emitCatalog writes what belongs to no single URN.
func emitCatalog(p *codePackage) *jen.File {
	f := newFile(p, nil)
	for _, line := range p.Doc {
		f.PackageComment("// " + line)
	}
	comment(f.Group, doc{
		"If this line does not compile, this code and the bqgen runtime in go.mod do not fit together. Update both: run",
		"go get github.com/babelqueue/bqgen@latest, then go tool bqgen generate.",
	})
	add(f, jen.Const().Id("_").Op("=").Add(bq("Generated2")))
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
	comment(f.Group, doc{"The URNs of the catalog."})
	add(f, jen.Const().DefsFunc(func(g *jen.Group) {
		for _, m := range p.Messages {
			comment(g, m.ConstDoc)
			g.Id(m.Const).Op("=").Lit(m.URN)
		}
	}))
}

func emitQueue(f *jen.File, q *queue) {
	comment(f.Group, q.Doc)
	settings := []jen.Code{
		keyed("Name", jen.Lit(q.Name)),
		keyed("Topic", jen.Lit(q.Topic)),
		keyed("MaxAttempts", jen.Lit(q.MaxAttempts)),
	}
	if q.DeadLetter != "" {
		settings = append(settings, keyed("DeadLetterTopic", jen.Lit(q.DeadLetter)))
	}
	add(f, jen.Var().Id(q.Var).Op("=").Add(bq("Queue")).Add(multiline("{", "}", settings...)))
	if len(q.Messages) == 0 {
		return
	}
	if q.Handler != "" {
		emitConsumer(f, q)
	}
	emitPayload(f, q)
}

// emitConsumer writes the interface that handles a queue's messages, and the constructor of its consumer.
func emitConsumer(f *jen.File, q *queue) {
	comment(f.Group, q.HandlerDoc)
	add(f, jen.Type().Id(q.Handler).InterfaceFunc(func(g *jen.Group) {
		for _, m := range q.Messages {
			g.Id(m.Handler)
		}
	}))
	comment(f.Group, q.ConstructorDoc)
	client, opts := jen.Id("client"), jen.Id("opts")
	add(f, jen.Func().Id(q.Constructor).Params(
		client.Clone().Qual(pulsarPath, "Client"),
		jen.Id("h").Id(q.Handler),
		opts.Clone().Op("...").Add(bq("ConsumerOption")),
	).Params(jen.Op("*").Add(bq("Consumer")), jen.Error()).Block(
		jen.Return(bq("NewConsumer").Call(
			client, jen.Id(q.Var), bq("Routes").Add(multiline("(", ")", routes(q)...)), opts.Clone().Op("..."))),
	))
}

// emitPayload writes the sealed interface of a queue's payloads, and what decodes and reads them.
func emitPayload(f *jen.File, q *queue) {
	comment(f.Group, q.PayloadDoc)
	f.Comment("//")
	f.Comment("//sumtype:decl")
	add(f, jen.Type().Id(q.Payload).Custom(jen.Options{Open: "interface{ ", Close: " }"}, jen.Id(q.Marker).Call()))
	for _, t := range q.Payloads {
		f.Func().Params(jen.Op("*").Id(t)).Id(q.Marker).Params().Block()
	}
	f.Line()
	var decodings []jen.Code
	for _, m := range q.Messages {
		decodings = append(decodings, bq("Decode").Call(jen.Id(m.Definition), block(
			jen.Func().Params(pointerTo("v", jen.Id(m.Type))).Id(q.Payload), []jen.Code{jen.Return(jen.Id("v"))})))
	}
	add(f, jen.Var().Id(q.Decodings).Op("=").Add(bq("Decodings")).Add(multiline("(", ")", decodings...)))
	comment(f.Group, q.ReadDoc)
	add(f, jen.Func().Id(q.Read).Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true},
		jen.Id("ctx").Qual(contextPath, "Context"),
		jen.Id("client").Qual(pulsarPath, "Client"),
		jen.Id("opts").Op("...").Add(bq("ReaderOption")),
	).Qual(iterPath, "Seq2").Types(jen.Op("*").Add(bq("Message").Types(jen.Id(q.Payload))), jen.Error()).Block(
		jen.Return(bq("Read").Call(
			jen.Id("ctx"), jen.Id("client"), jen.Id(q.Var), jen.Id(q.Decodings), jen.Id("opts").Op("..."))),
	))
}

func routes(q *queue) []jen.Code {
	var out []jen.Code
	for _, m := range q.Messages {
		out = append(out, jen.Id(m.On).Call(jen.Id("h").Dot(m.Method)))
	}
	return out
}

func emitPublishers(f *jen.File, p *codePackage) {
	comment(f.Group, doc{"Publishers contains a publisher for each URN. Those of one topic share a Pulsar producer."})
	add(f, jen.Type().Id("Publishers").StructFunc(func(g *jen.Group) {
		for _, m := range p.Messages {
			comment(g, m.PublisherDoc)
			g.Id(m.Publisher).Op("*").Add(bq("Publisher")).Types(jen.Id(m.Type))
		}
		g.Line()
		g.Id("producers").Op("*").Add(bq("Producers"))
	}))
	comment(f.Group, doc{
		"NewPublishers returns the publishers. The first message published to a topic creates its producer.",
	})
	add(f, jen.Func().Id("NewPublishers").Params(
		jen.Id("client").Qual(pulsarPath, "Client"),
		jen.Id("opts").Op("...").Add(bq("PublisherOption")),
	).Op("*").Id("Publishers").BlockFunc(func(g *jen.Group) {
		g.Id("p").Op(":=").Add(bq("NewProducers")).Call(jen.Id("client"), jen.Id("opts").Op("..."))
		var fields []jen.Code
		for _, m := range p.Messages {
			fields = append(fields, keyed(m.Publisher, bq("NewPublisher").Call(jen.Id("p"), jen.Id(m.Definition))))
		}
		fields = append(fields, keyed("producers", jen.Id("p")))
		g.Return(jen.Op("&").Id("Publishers").Add(multiline("{", "}", fields...)))
	}))
	comment(f.Group, doc{"Close flushes pending messages and closes the producers. It does not close the client."})
	f.Add(method(pointerTo("p", jen.Id("Publishers")), "Close", nil, []jen.Code{jen.Error()},
		jen.Return(jen.Id("p").Dot("producers").Dot("Close").Call())))
}
