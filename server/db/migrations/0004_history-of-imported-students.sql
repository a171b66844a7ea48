ALTER TABLE "students" ADD COLUMN "joined_on" date;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "paid_through" date;