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
	add(f, jen.Const().Id("_").Op("=").Add(bq("Generated3")))
	emitConstants(f, p)
	for _, q := range p.Queues {
		emitQueue(f, q)
	}
	emitQueues(f, p)
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
	if len(q.Messages) > 0 {
		settings = append(settings, keyed("URNs", urns(q.Messages)))
	}
	if len(q.Services) > 0 {
		settings = append(settings, keyed("Services", services(q)))
	}
	add(f, jen.Func().Id(q.Function).Params().Add(bq("Queue")).Block(
		jen.Return(bq("Queue").Add(multiline("{", "}", settings...)))))
	if len(q.Messages) == 0 {
		return
	}
	if len(q.Services) == 0 {
		emitConsumer(f, q, &service{
			Handler: q.Handler, Constructor: q.Constructor, HandlerDoc: q.HandlerDoc, ConstructorDoc: q.ConstructorDoc,
			Messages: q.Messages,
		})
	}
	for _, s := range q.Services {
		emitConsumer(f, q, s)
	}
	emitPayload(f, q)
	if q.Stream != "" {
		emitStream(f, q)
	}
}

// emitConsumer writes the handler interface and the constructor for a queue, or for one of its services.
func emitConsumer(f *jen.File, q *queue, s *service) {
	comment(f.Group, s.HandlerDoc)
	add(f, jen.Type().Id(s.Handler).InterfaceFunc(func(g *jen.Group) {
		for _, m := range s.Messages {
			g.Id(m.Handler)
		}
	}))
	comment(f.Group, s.ConstructorDoc)
	client, opts := jen.Id("client"), jen.Id("opts")
	options := opts.Clone()
	if s.Name != "" {
		list := jen.Index().Add(bq("ConsumerOption")).Values(bq("WithService").Call(jen.Lit(s.Name)))
		options = jen.Append(list, opts.Clone().Op("..."))
	}
	add(f, jen.Func().Id(s.Constructor).Params(
		client.Clone().Qual(pulsarPath, "Client"),
		jen.Id("h").Id(s.Handler),
		opts.Clone().Op("...").Add(bq("ConsumerOption")),
	).Params(jen.Op("*").Add(bq("Consumer")), jen.Error()).Block(
		jen.If(jen.Id("h").Op("==").Nil()).Block(
			jen.Return(jen.Nil(), jen.Qual(errorsPath, "New").Call(jen.Lit(s.Constructor+": the handler is nil")))),
		jen.Return(bq("NewConsumer").Call(
			client, jen.Id(q.Function).Call(), bq("Routes").Add(multiline("(", ")", routes(s)...)), options.Op("..."))),
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
		decodings = append(decodings, bq("Decode").Call(jen.Id(m.Definition).Call(), block(
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
			jen.Id("ctx"), jen.Id("client"), jen.Id(q.Function).Call(), jen.Id(q.Decodings), jen.Id("opts").Op("..."))),
	))
}

// emitStream writes the constructor of a queue's stream.
func emitStream(f *jen.File, q *queue) {
	comment(f.Group, q.StreamDoc)
	stream := bq("Stream").Types(jen.Id(q.Payload))
	add(f, jen.Func().Id(q.Stream).Params(
		jen.Id("client").Qual(pulsarPath, "Client"), jen.Id("opts").Op("...").Add(bq("ConsumerOption")),
	).Params(jen.Op("*").Add(stream), jen.Error()).Block(
		jen.Return(bq("NewStream").Call(
			jen.Id("client"), jen.Id(q.Function).Call(), jen.Id(q.Decodings), jen.Id("opts").Op("..."))),
	))
}

func routes(s *service) []jen.Code {
	var out []jen.Code
	for _, m := range s.Messages {
		out = append(out, jen.Id(m.On).Call(jen.Id("h").Dot(m.Method)))
	}
	return out
}

// urns is a list of the URNs of messages.
func urns(messages []*message) jen.Code {
	var all []jen.Code
	for _, m := range messages {
		all = append(all, jen.Id(m.Const))
	}
	return jen.Index().String().Values(all...)
}

// services is the list of a queue's services.
func services(q *queue) jen.Code {
	var all []jen.Code
	for _, s := range q.Services {
		settings := []jen.Code{keyed("Name", jen.Lit(s.Name)), keyed("RetryTopic", jen.Lit(s.RetryTopic))}
		if s.DeadLetter != "" {
			settings = append(settings, keyed("DeadLetterTopic", jen.Lit(s.DeadLetter)))
		}
		settings = append(settings, keyed("URNs", urns(s.Messages)))
		all = append(all, multiline("{", "}", settings...))
	}
	return jen.Index().Add(bq("QueueService")).Add(multiline("{", "}", all...))
}

// emitQueues writes the function for tools that declare or look at all queues.
func emitQueues(f *jen.File, p *codePackage) {
	var all []jen.Code
	for _, q := range p.Queues {
		all = append(all, jen.Id(q.Function).Call())
	}
	list := jen.Index().Add(bq("Queue"))
	comment(f.Group, doc{"Queues returns the queues of the catalog."})
	add(f, block(jen.Func().Id("Queues").Params().Add(list), []jen.Code{jen.Return(list.Clone().Values(all...))}))
}

func emitPublishers(f *jen.File, p *codePackage) {
	comment(f.Group, doc{
		"Publishers contains a publisher for each URN. Those of one topic share a Pulsar producer. Call Close at the end.",
	})
	add(f, jen.Type().Id("Publishers").StructFunc(func(g *jen.Group) {
		for _, m := range p.Messages {
			comment(g, m.PublisherDoc)
			g.Id(m.Publisher).Op("*").Add(bq("Publisher")).Types(jen.Id(m.Type))
		}
		g.Line()
		g.Op("*").Add(bq("Producers"))
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
			fields = append(fields, keyed(m.Publisher, bq("NewPublisher").Call(jen.Id("p"), jen.Id(m.Definition).Call())))
		}
		fields = append(fields, keyed("Producers", jen.Id("p")))
		g.Return(jen.Op("&").Id("Publishers").Add(multiline("{", "}", fields...)))
	}))
	for _, m := range p.Messages {
		emitPublishes(f, m)
	}
}

// emitPublishes writes the interface of what publishes the message.
func emitPublishes(f *jen.File, m *message) {
	comment(f.Group, m.PublishesDoc)
	add(f, jen.Type().Id(m.Publishes).Interface(
		jen.Id("Publish").Params(
			jen.Id("ctx").Qual(contextPath, "Context"),
			jen.Id("payload").Id(m.Type),
			jen.Id("opts").Op("...").Add(bq("PublishOption")),
		).Params(bq("PublishResult"), jen.Error()),
	))
}
