package docs

import "fmt"

// markdownServices lists the services on the first page.
func (s *site) markdownServices(p *markdownPage) {
	if len(s.Services) == 0 {
		return
	}
	p.block("## Services")
	var items []string
	for _, service := range s.Services {
		items = append(items, mdLink(service.Name, service.Page))
	}
	p.list(items)
}

// markdownServices describes the services of a queue.
func (q *queuePage) markdownServices(p *markdownPage) {
	if len(q.Receptions) == 0 {
		return
	}
	p.block("## Services")
	p.block("Each service receives all messages that name it, " +
		"and has a subscription, retries and dead letters of its own.")
	var rows [][]string
	for _, r := range q.Receptions {
		var messages []link
		for _, m := range r.Messages {
			messages = append(messages, link{Text: m.GoName, Page: m.Page})
		}
		rows = append(rows, []string{
			mdLink(r.Service.Name, r.Service.Page), mdLinks(messages), mdCode(r.RetryTopic), mdDeadLetters(r.DeadLetter),
		})
	}
	p.table([]string{"Service", "Messages", "Retries", "Dead letters"}, rows)
}

// markdownDead says where the queue's dead letters are.
func (q *queuePage) markdownDead() string {
	if len(q.Receptions) > 0 {
		return "each service on its own"
	}
	return mdDeadLetters(q.DeadLetter)
}

func mdDeadLetters(topic string) string {
	if topic == "" {
		return "dropped"
	}
	return mdCode(topic)
}

func (s *service) markdown(p *markdownPage) {
	p.block("[Catalog](%s.md)", markdownIndex)
	p.block("# %s", mdText(s.Name))
	p.block("## Handles")
	if len(s.Receives) == 0 {
		p.block("It handles no messages.")
	}
	for _, r := range s.Receives {
		p.block("### %s", mdLink(r.Queue.Name, r.Queue.Page))
		retries, how := r.Queue.Topic, "every message of the queue"
		switch {
		case r.RetryTopic != "":
			retries, how = r.RetryTopic, "every message of these, on its own"
		case len(r.SharedWith) > 0:
			how = fmt.Sprintf("some messages; others go to %s", mdServices(r.SharedWith))
			if r.SharedMore > 0 {
				how += fmt.Sprintf(" and %d more", r.SharedMore)
			}
		}
		p.list([]string{
			"Receives: " + how,
			"Subscription: " + mdCode(r.Subscription),
			"Retries: " + mdCode(retries),
			"Dead letters: " + mdDeadLetters(r.DeadLetter),
		})
		p.messages(r.Messages)
		if r.Consume != nil {
			p.code("go", r.Consume)
		}
	}
	p.block("## Publishes")
	if len(s.Publishes) == 0 {
		p.block("It publishes no messages.")
		return
	}
	p.messages(s.Publishes)
}
