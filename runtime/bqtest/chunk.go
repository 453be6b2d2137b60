package bqtest

// chunks is how many entries a message takes. The chunks of a message are delivered, acknowledged and given back
// together, so that only the last one holds the message.
func (p *producer) chunks(s *shipment) int {
	if !p.opts.EnableChunking || s.batched {
		return 1
	}
	m := s.sends[0].content
	most := p.b.maxMessageSize - (m.size() - len(m.payload))
	if limit := int(p.opts.ChunkMaxMessageSize); limit > 0 {
		most = min(most, limit)
	}
	most = max(most, 1)
	return max(1, (len(m.payload)+most-1)/most)
}
